# A queue is paused between a worker's look at the flag and its claim: a job is
# delivered while the queue is paused.
#
# Why it exists: as built the flag is read by the host in a request of its own,
# and the claim script does not know it. After a pause was answered, one job a
# worker may still start (J1); the next one waits (J2). Look at the order of pause
# and claim.
story  pause-misses-a-claim
worker w1
jobs   2

chaos  off

do pause time=2500us

expect effects J1 = 1
expect state J2 = pending
expect broken drains
expect held no-loss no-duplicate-effect
