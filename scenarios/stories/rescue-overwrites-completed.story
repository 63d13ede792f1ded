# A rescuer that read its list before, and writes by id after: the job that was
# completed in between is brought back.
#
# Why it exists: https://github.com/riverqueue/river/issues/1302, mended by
# https://github.com/riverqueue/river/pull/1373. The rescuer's write is spoken here
# by hand. It looks at no state, and so it does not see that its reading is out of
# date.
story  rescue-overwrites-completed
queue  echomq variant=resurrect reap-every=off
worker w1 work=40s
job    J1

chaos  off

do retry J1#1 by=rescuer time=41s

expect answer retry J1#1 = scheduled
expect deliveries J1 = 2
expect effects J1 = 2
expect broken terminal-absorbing settled-once no-duplicate-effect
expect held no-loss drains
