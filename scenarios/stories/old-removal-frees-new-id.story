# The removal of an old job comes once more, when its id is a new job's: the new one's
# row goes, and a third is admitted while the second is at work.
#
# Why it exists: https://github.com/taskforcesh/bullmq/pull/3236: removing a job deleted
# the key by which jobs are deduplicated, also where that was a newer job's by then. In
# EchoMQ the row is that key, and remove names an id, not an incarnation. As built both
# workers hold token 1, and the ACK of the first settles the other's job. The variant
# hardened refuses that ACK, and admits the third job all the same: remove takes no token.
story  old-removal-frees-new-id
worker w1 work=10s
worker w2 work=10s
job    J1 delay=1m

chaos  off

do remove J1 time=1s
do enqueue J1 time=2s
do remove J1 time=4s
do enqueue J1 time=5s

expect answer remove J1 = ok
expect answer enqueue J1 = enqueued
expect answer complete J1#1 = ok
expect answer complete J1#2 = gone
expect effects J1 = 2
expect broken no-duplicate-effect stale-token-rejected tokens-rise
expect held no-loss single-holder admission-honest no-ghost drains
