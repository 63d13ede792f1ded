# An enqueue that writes over the job that stands: who sends it again puts it into a
# second set, attempts forgotten.
#
# Why it exists: the second mutant of admission-honest.
# https://github.com/rq/rq/issues/1701: enqueuing a job under an id that exists
# overwrites it. It takes an enqueue that is sent again while its job is waiting or at
# work.
story    double-admission
queue    echomq variant=double-admission
producer p retries=2
workers  2 consumer=atomic work=10s
jobs     3 every=500ms

chaos    drop-reply enqueue rate=5%
chaos    duplicate enqueue rate=5% by=1ms..10s
chaos    pause w1 w2 rate=5% for=1s..90s count=0..1
quiet    time=2m

fault    drop-reply enqueue J1

expect   chaos may-break admission-honest stale-token-rejected one-place tokens-rise single-holder
expect   broken admission-honest one-place tokens-rise single-holder
expect   held no-loss no-duplicate-effect
