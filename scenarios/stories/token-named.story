# A worker whose lease has lapsed guesses the token of its successor: the queue
# lets it settle the job.
#
# Why it exists: the token is the count of claims, so that anybody can tell the
# next one. A fence keeps out who is late, not who lies. ackgap judges by the
# delivery that speaks, and calls the ACK what it is.
story  token-named

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do claim by=w2 time=32s
do complete J1#1 by=w1 time=33s
do complete J1#1 by=w1 time=34s token=2

expect refused complete J1#1
expect answer complete J1#1 = ok
expect state J1 = completed
expect broken stale-token-rejected
