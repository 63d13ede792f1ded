# A job that is pending and active is drained: its row is gone, and its id stays in
# active.
#
# Why it exists: the second step after extend-of-reaped. The lease of nothing lapses,
# and the reap makes half a row of it.
#
# Root cause: drain takes the id out of the set that it empties, and deletes a row
# that other sets name.
# Closed by: extends-held, at its source
story  drain-of-two-places
queue  echomq reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do extend J1#1 by=w1 time=32s
do drain time=33s

expect state J1 = ghost
expect broken one-place no-ghost
