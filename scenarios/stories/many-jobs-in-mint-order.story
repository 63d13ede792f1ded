# Thirty jobs, three workers, no fault: every job is served in the order of its
# id, no claim misses one that waits, and each has one effect.
#
# Why it exists: the queue at work, and the run in which nothing may be broken.
# The jobs come faster than three workers can take them.
story  many-jobs-in-mint-order
workers 3 work=100ms
jobs   30 every=10ms

expect chaos may-break no-duplicate-effect
expect effects J1 = 1
expect effects J30 = 1
expect held mint-order work-conserving single-holder tokens-rise
expect held no-loss no-duplicate-effect settled-once one-place no-ghost drains
