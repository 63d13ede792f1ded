# A drain removes a job that stands in two sets; what it leaves behind is promoted
# and delivered: a job without a row, without a payload.
#
# Why it exists: three oddities in a chain. delay does not look into pending, so
# that a late one leaves the job in two sets; drain deletes the row and empties
# pending alone; promote and claim do not ask whether there is a row.
story  claim-of-removed

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do delay J1#1 by=w1 time=32s delay=5s
do drain time=33s
do promote time=37s
do claim by=w2 time=41s

expect answer delay J1#1 = scheduled
expect answer claim J1#2 = ok
expect state J1 = ghost
expect broken one-place no-ghost tokens-rise
