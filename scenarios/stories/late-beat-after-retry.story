# A heartbeat is overtaken by the retry of its own delivery: the job is scheduled and
# active at once, is done too early, and its ghost is done again.
#
# Why it exists: messages of one worker on two connections have no order. The retry
# keeps the token, so the late beat is let in, and the lease that it opens belongs
# to nobody. The reaper ends it before the retry is due; complete does not look into
# the schedule; what is left there is promoted without a row.
story  late-beat-after-retry
queue  echomq retry-delay=1m
worker w1 work=12s heartbeat=10s
job    J1 fails=1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  delay extend J1#1 by=5s

expect answer retry J1#1 = scheduled
expect answer extend J1#1 = ok
expect effects J1 = 2
expect deliveries J1 = 3
expect broken one-place no-ghost tokens-rise no-duplicate-effect terminal-absorbing
