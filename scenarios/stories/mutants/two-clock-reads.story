# A reaper that reads its clock twice: for the jobs that it brings back, and a moment
# later for those that it deletes from the leased.
#
# Why it exists: scan, then apply. https://github.com/rq/rq/issues/454: a lease that runs
# out between the two readings is deleted and not brought back. Ten milliseconds of each
# second are all that it takes.
story    two-clock-reads
queue    echomq variant=two-clock-reads
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop complete rate=10%
chaos    crash w1 w2 rate=2% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=2% for=1s..90s count=0..1
quiet    time=2m

fault    drop complete J1#1

expect   chaos may-break no-loss no-ghost drains
expect   broken no-loss no-ghost drains
expect   held no-duplicate-effect
