# The server forgets a reap and the claim after it: the worker whose lease had run out
# is the holder again, and settles for the one that has the job.
#
# Why it exists: the last two writes. The row is back as it was while the first worker
# had it, token and all; no number in it can tell.
#
# Root cause: a token is good until the next claim, and not until its lease is over.
# Closed by: lease-runs
story  forgotten-lapse
queue  echomq reap-every=off

chaos  off

fault  crash queue time=33s lose=2w restart=1s

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do claim by=w2 time=32s
do complete J1#1 by=w1 time=35s

expect answer complete J1#1 = ok
expect broken stale-token-rejected
