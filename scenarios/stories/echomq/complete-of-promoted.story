# A job that waits for its second try is completed with the token of the first: the
# failure that was accepted is taken back, and nobody tries again.
#
# Why it exists: the late copy of one answer ends what the other had begun. Here the
# work never ran to its end, and the job is lost.
#
# Root cause: a token is not spent by a settlement: it stays the row's until the next
# claim.
# Closed by: completes-held
story  complete-of-promoted
queue  echomq promote-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s
do promote time=3s
do complete J1#1 by=w1 time=4s

expect answer complete J1#1 = ok
expect state J1 = completed
expect broken settled-once
