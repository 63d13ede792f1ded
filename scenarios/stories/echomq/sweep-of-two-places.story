# A job that is pending and active is dead-lettered by the stalled sweep: it is dead
# and pending at once, and is delivered.
#
# Why it exists: the second step after extend-of-reaped: an operator reads of a dead
# job that is in work.
#
# Root cause: sweep takes the id out of active, and buries it without looking into
# pending.
# Closed by: extends-held, at its source
story  sweep-of-two-places
queue  echomq reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do extend J1#1 by=w1 time=32s
do sweep time=62s max=1
do claim by=w2 time=63s

expect answer claim J1#2 = ok
expect state J1 = active+dead
expect broken one-place terminal-absorbing
