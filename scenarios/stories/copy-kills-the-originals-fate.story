# The lease is shorter than the run: a second worker is given a copy, sees that the
# tries are used up and marks the job failed; the first then succeeds, unheard.
#
# Why it exists: https://github.com/laravel/horizon/issues/128, told most clearly in
# https://github.com/pabloroman/virtua-fc/pull/363. retry_after is 90s, the run
# takes five minutes. The job is dead, its work is done.
story  copy-kills-the-originals-fate
queue  echomq lease=90s
worker w1 work=5m
job    J1

chaos  off

do claim by=w2 time=92s
do retry J1#2 by=w2 time=93s max=1

expect answer retry J1#2 = dead
expect refused complete J1#1
expect effects J1 = 1
expect state J1 = dead
expect held no-loss no-duplicate-effect attempts-bounded drains
