# The server forgets a claim in a restart and serves the same job under the same
# token: each of its two holders settles for the other.
#
# Why it exists: a failover to a replica that was one write behind. See server-
# forgets-a-claim for the workers' side of it.
#
# Root cause: the token lives in the row that was lost, and is counted from what is
# left of it.
# Closed by: clock-tokens. That two hold the job at once stays: the queue does not
# know of the first
# Still broken: single-holder
story  forgotten-claim
queue  echomq reap-every=off

chaos  off

fault  crash queue time=2s lose=1w restart=1s

do enqueue J1 time=0s
do claim by=w1 time=1s
do claim by=w2 time=4s
do complete J1#1 by=w1 time=5s

expect answer complete J1#1 = ok
expect broken tokens-rise stale-token-rejected single-holder
