# The answer to a claim is lost, and the work never runs. The queue learns no more
# than it did when an ACK was lost.
#
# Why it exists: the other history of lost-ack. Lay the two side by side: one grant,
# one lease that runs out, and in between an idle claim that proves nothing. Here the
# redelivery saves the job; there it did the work twice. `expect twin` finds the
# history in which this work did run, with the same queue view to the byte.
story  work-never-ran
queue  echomq
worker w1
worker w2
job    J1

fault  drop-reply claim J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 1
expect deliveries J1 = 2
expect twin J1#1
expect held no-loss no-duplicate-effect drains
