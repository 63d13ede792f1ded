# A job is enqueued whose id still stands in the schedule without a row: it is pending
# and scheduled at once.
#
# Why it exists: the second step after complete-of-scheduled. Nobody did anything
# wrong this time: the id was free.
#
# Root cause: enqueue asks whether there is a row, and not whether the id is a member
# of a set.
# Closed by: completes-held, at its source: without ghosts nobody has to look for them
story  enqueue-beside-ghost
queue  echomq promote-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s
do complete J1#1 by=w1 time=3s
do enqueue J1 time=4s

expect answer enqueue J1 = enqueued
expect state J1 = pending+scheduled
expect broken settled-once no-ghost one-place
