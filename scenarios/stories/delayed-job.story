# A job for later: it waits in the schedule, is promoted when it is due, and runs
# once.
#
# Why it exists: the way of a delayed job without faults. It runs at the first
# tick of the pump at or after its time, which is the server's.
story  delayed-job
worker w1
job    J1 delay=10s

expect chaos may-break no-duplicate-effect
expect answer enqueue J1 = scheduled
expect deliveries J1 = 1
expect effects J1 = 1
expect held no-loss no-duplicate-effect drains
