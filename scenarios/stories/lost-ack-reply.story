# The ACK arrives and its answer is lost: nothing happens.
#
# Why it exists: of the two losses that look alike to a worker only one hurts. The
# queue has settled the job; that the worker hears nothing for five seconds costs
# five seconds. EchoMQ's consumer does not read that answer at all. No twin: up to
# the settlement the queue knows what there is to know.
story  lost-ack-reply
queue  echomq
worker w1
job    J1

fault  drop-reply complete J1#1

expect chaos may-break no-duplicate-effect
expect answer complete J1#1 = lost-reply
expect effects J1 = 1
expect deliveries J1 = 1
expect state J1 = completed
expect no twin
expect held no-loss no-duplicate-effect drains
