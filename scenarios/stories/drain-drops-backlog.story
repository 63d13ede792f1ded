# An operator drains the queue: what waits is gone, what a worker has in hand and
# what is scheduled for later goes on.
#
# Why it exists: the extent of the verb. J1 is in work, J2 and J3 wait, J4 is in
# the schedule. Dropped by an operator is not lost: no-loss is held.
story  drain-drops-backlog
worker w1 work=5s
jobs   3
job    K1 delay=20s

chaos  off

do drain time=2s

expect effects J1 = 1
expect state J2 = removed
expect state J3 = removed
expect effects K1 = 1
expect held no-loss no-duplicate-effect no-ghost drains
