# A worker dies before its effect: redelivery is what saves the job.
#
# Why it exists: the twin of crash-after-effect, and the reason why a queue must not
# stay silent. Compare what the queue sees: the same, to the millisecond. Here the
# second delivery is the only one that does the work.
story  crash-before-effect
queue  echomq
worker w1
worker w2
job    J1

fault  crash w1 before=apply J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 1
expect deliveries J1 = 2
expect state J1 = completed
expect twin J1#1
expect held no-loss no-duplicate-effect drains
