# Two ACKs lost in a row: three deliveries, three effects, and the cap of three
# attempts does not matter.
#
# Why it exists: at-least-once has no upper end. Each lost ACK costs one more lease and
# one more run, and max-attempts limits failures, not deliveries: the third ACK is
# accepted like any other.
story  two-drops-in-a-row
queue  echomq max-attempts=3
worker w1
worker w2
job    J1

fault  drop complete J1#1
fault  drop complete J1#2

expect chaos may-break no-duplicate-effect
expect effects J1 = 3
expect deliveries J1 = 3
expect state J1 = completed
expect broken no-duplicate-effect
expect held no-loss drains
