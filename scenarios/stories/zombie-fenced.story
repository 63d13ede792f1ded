# A worker stands still past its lease, wakes and acknowledges a job that is
# another's by now: refused.
#
# Why it exists: the pause of Kleppmann's "How to do distributed locking" (2016), a
# bug that HBase used to have. The fence keeps the queue's record right: the token of
# the first delivery is lower than the one given out last. It comes too late for the
# effect, and the second delivery, which it has no reason to stop, adds another.
story  zombie-fenced
queue  echomq
worker w1
worker w2 work=20s
job    J1

fault  pause w1 after=apply J1#1 for=45s

expect chaos may-break no-duplicate-effect
expect refused complete J1#1
expect effects J1 = 2
expect state J1 = completed
expect broken no-duplicate-effect
expect held stale-token-rejected single-holder no-loss drains
