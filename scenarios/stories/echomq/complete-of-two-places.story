# A job that is pending and active is completed: its row is gone, and its id stays in
# pending.
#
# Why it exists: the second step after extend-of-reaped: the worker was late, beat,
# and finished.
#
# Root cause: complete looks into pending only if the job is not in active.
# Closed by: extends-held, at its source
story  complete-of-two-places
queue  echomq reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do extend J1#1 by=w1 time=32s
do complete J1#1 by=w1 time=33s

expect answer complete J1#1 = ok
expect state J1 = ghost
expect broken one-place no-ghost
