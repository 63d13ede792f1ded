# A worker is handed a job that is over, with no payload and with a token that was
# given before.
#
# Why it exists: the second step after complete-of-two-places, and the worst for a
# consumer: it is called with nothing.
#
# Root cause: claim takes the first id of pending without asking whether there is a
# row; counting the attempt makes one.
# Closed by: extends-held, at its source
story  claim-of-ghost
queue  echomq reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do extend J1#1 by=w1 time=32s
do complete J1#1 by=w1 time=33s
do claim by=w2 time=34s

expect answer claim J1#2 = ok
expect state J1 = ghost
expect broken one-place no-ghost tokens-rise terminal-absorbing
