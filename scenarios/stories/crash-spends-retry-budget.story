# A worker dies before it has run anything, and the job is buried: the budget of
# failures is spent by a crash.
#
# Why it exists: https://github.com/hibiken/asynq/issues/1015. The sweep counts
# lapses, not failures, and with max-stalled=1 the first one is the last. Dead is
# not lost, and no-loss is held; but no handler has ever seen this job.
story  crash-spends-retry-budget
queue  echomq reap-every=off sweep-every=1s max-stalled=1
worker w1
worker w2
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  crash w1 after=claim J1#1

expect deliveries J1 = 1
expect effects J1 = 0
expect state J1 = dead
expect held no-loss drains
