# A queue that takes a job with one request and lets its lease end with the next: who
# dies between the two keeps it for ever.
#
# Why it exists: pop, then mark. Bull moved a job to the list of the active by BRPOPLPUSH
# and took its lock afterwards; RQ has an intermediate queue, and a clean-up of it, for
# the same gap. No reaper finds such a lease lapsed. The job is not lost, and nobody will
# ever work at it again.
story    pop-then-mark
queue    echomq variant=pop-then-mark
producer p retries=0
workers  2 consumer=atomic work=15s heartbeat=5s
jobs     4 every=500ms

chaos    drop complete rate=3%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
quiet    time=2m

fault    crash w1 after=claim J1#1

expect   chaos may-break drains
expect   broken drains
expect   held no-loss no-duplicate-effect
