# A heartbeat that comes after the reap puts a job into two sets at once: it is
# pending and active.
#
# Why it exists: extend as built compares the token and nothing else. It does not
# ask whether the job is in active, and a token stays good from its claim until
# the next one. Harmless by itself: see late-extend-ghost for what may follow.
story  late-extend-two-places
queue  echomq reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do extend J1#1 by=w1 time=32s

expect answer extend J1#1 = ok
expect state J1 = pending+active
expect broken one-place
expect held no-ghost
