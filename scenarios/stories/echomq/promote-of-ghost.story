# A job that is over is promoted: half a row is made for it, and it is pending again.
#
# Why it exists: the second step after complete-of-scheduled. What was completed is
# not absorbed.
#
# Root cause: promote writes the state without asking whether there is a row.
# Closed by: completes-held, at its source
story  promote-of-ghost
queue  echomq promote-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s
do complete J1#1 by=w1 time=2500ms
do promote time=3s

expect state J1 = ghost
expect broken settled-once no-ghost terminal-absorbing
