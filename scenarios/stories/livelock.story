# Work longer than the lease, two workers and no heartbeat: the job is delivered
# again and again, every ACK is refused, and it never ends.
#
# Why it exists: the fence is right each time, and no progress is made. The
# consumer's marker keeps the effect at one, so that a count of effects shows
# nothing. no-loss cannot be known when the horizon cuts such a run.
story  livelock
worker w1 consumer=atomic work=40s
worker w2 consumer=atomic work=40s
job    J1

chaos  off

expect effects J1 = 1
expect deliveries J1 >= 15
expect refused complete J1#1
expect broken drains
expect unknown no-loss
expect held no-duplicate-effect stale-token-rejected single-holder
