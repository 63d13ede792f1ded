# A heartbeat that comes after the reap puts a job into two sets: it is pending and
# active.
#
# Why it exists: one pause longer than the lease is enough. What may follow is in
# complete-of-two-places, drain-of-two-places and sweep-of-two-places.
#
# Root cause: extend compares the token and puts the job into active, wherever it is.
# Closed by: extends-held
story  extend-of-reaped
queue  echomq reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do extend J1#1 by=w1 time=32s

expect answer extend J1#1 = ok
expect state J1 = pending+active
expect broken one-place
