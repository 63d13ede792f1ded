# The network doubles a claim: the copy takes the next job, and nobody is told.
#
# Why it exists: a claim is no idempotent request, and EchoMQ's carries nothing
# by which the queue could know a copy. J2 is leased to a worker that never heard
# of it, waits out a whole lease, and has spent an attempt without a run.
story  duplicate-claim
worker w1 work=1s
jobs   2

fault  duplicate claim J1#1 after=100ms

expect chaos may-break no-duplicate-effect
expect deliveries J1 = 1
expect deliveries J2 = 2
expect effects J2 = 1
expect held no-loss no-duplicate-effect single-holder drains
