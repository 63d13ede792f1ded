# A job that was handed back is put off by the same delivery: its second try is moved
# by somebody who has no job.
#
# Why it exists: whoever once had the job can put it off again and again, until
# somebody else is served.
#
# Root cause: a token is not spent by a settlement, and delay does not ask whether
# anybody has the job in hand.
# Closed by: delays-held
story  delay-of-scheduled
chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s
do delay J1#1 by=w1 time=2500ms delay=1h

expect answer delay J1#1 = scheduled
expect broken settled-once
