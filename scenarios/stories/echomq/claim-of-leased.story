# A job that one worker has in hand is promoted from a schedule where it stands too,
# and a second worker is given it.
#
# Why it exists: the second step after delay-of-reaped: two holders, both with a lease
# that runs.
#
# Root cause: promote and claim do not ask whether the job is in active already.
# Closed by: delays-held, at its source
story  claim-of-leased
queue  echomq reap-every=off promote-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do delay J1#1 by=w1 time=32s delay=5s
do claim by=w2 time=33s
do promote time=37s
do claim by=w3 time=38s

expect deliveries J1 = 3
expect broken one-place single-holder
