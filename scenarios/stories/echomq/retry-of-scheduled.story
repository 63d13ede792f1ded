# One failure is reported twice, and counts twice: the second report puts off the
# second try.
#
# Why it exists: the answer to a retry is lost, and the worker sends it again, as it
# should. Each copy that arrives puts the job off once more, out of pending too. See
# re-sent-retry for the worker's side of it.
#
# Root cause: a token is not spent by a settlement, and retry does not ask whether
# anybody has the job in hand.
# Closed by: retries-held
story  retry-of-scheduled
chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s
do retry J1#1 by=w1 time=2500ms

expect answer retry J1#1 = scheduled
expect broken settled-once
