# An ACK lost in transit: the queue cannot know that the work ran.
#
# Why it exists: this is the gap itself. The worker did the work and said so, and
# nobody heard it. Redelivering is the only way not to lose a job that never ran,
# and here it runs the work twice. Every other story is a variation of this one.
# The options of the queue are its defaults, written out once for the reader.
story  lost-ack
queue  echomq lease=30s max-attempts=3 retry-delay=1s reap-every=1s promote-every=1s
worker w1 consumer=naive work=20ms
worker w2 consumer=naive work=20ms
job    J1

fault  drop complete J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect deliveries J1 = 2
expect state J1 = completed
expect twin J1#1
expect broken no-duplicate-effect
expect held no-loss stale-token-rejected one-place no-ghost drains
