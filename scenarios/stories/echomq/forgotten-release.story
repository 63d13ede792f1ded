# The server forgets that a worker handed its job back, and that another was given it:
# the copy of an old word is taken for a new one.
#
# Why it exists: it says where the hardened queue ends. The last two writes cannot do
# this, since a release, a promote and a claim are three. Within the lease no clock
# tells the two workers apart.
#
# Root cause: the row is back as it was while the lease ran, and the lease still runs.
# Closed by: nothing that the queue could keep: what it would have to know is what it
# forgot. A quorum of replicas, or an fsync before the answer
# Still broken: stale-token-rejected settled-once
story  forgotten-release
queue  echomq reap-every=off promote-every=off

chaos  off

fault  crash queue time=2s lose=900ms restart=1s

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=1200ms delay=0s
do promote time=1300ms
do claim by=w2 time=1400ms
do retry J1#1 by=w1 time=4s delay=1h

expect answer retry J1#1 = scheduled
expect broken stale-token-rejected settled-once
