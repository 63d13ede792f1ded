# A retry that takes the job out of active only: one that was reaped meanwhile stands
# in two sets.
#
# Why it exists: the mutant of one-place. BullMQ moved a job to delayed without a look
# at where it was (https://github.com/taskforcesh/bullmq/pull/487, and its sibling
# https://github.com/taskforcesh/bullmq/issues/64 for completed). It takes a failure,
# told after the lease and before the next claim.
story    retry-misses-pending
queue    echomq variant=retry-misses-pending
producer p retries=0
workers  2 consumer=atomic work=5s
jobs     6 every=500ms

chaos    error apply rate=20%
chaos    delay retry rate=30% by=10s..60s
chaos    pause w1 w2 rate=5% for=20s..90s count=0..2
quiet    time=2m

fault    error apply J1#1
fault    delay retry J1#1 by=30s
fault    pause w2 time=7s for=30s
fault    pause w1 time=20s for=40s

expect   chaos may-break one-place stale-token-rejected no-ghost tokens-rise single-holder terminal-absorbing drains
expect   broken one-place
