# A stale worker brings back the record of a job that was removed on completion:
# a new job of that id is refused as a duplicate of nothing.
#
# Why it exists: https://github.com/OptimalBits/bull/issues/1416. In bull it is an
# unfenced write of progress. In EchoMQ as built it takes a late extend: complete
# leaves the id in pending, and the claim of it makes a row with no payload. Look
# at the answer to the last enqueue.
story  stale-worker-recreates-record

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do extend J1#1 by=w1 time=32s
do complete J1#1 by=w1 time=33s
do claim by=w2 time=34s
do enqueue J1 time=35s

expect answer complete J1#1 = ok
expect answer enqueue J1 = duplicate
expect state J1 = ghost
expect broken admission-honest no-ghost one-place tokens-rise terminal-absorbing
