# Nobody reaps: a sweep finds the leases that ran out, and buries a job whose lease
# runs out too often.
#
# Why it exists: where the reaper is on, too, it ticks first. The windows are as those
# of far-away.
story    swept
queue    echomq lease=20s max-attempts=6 retry-delay=2s reap-every=off sweep-every=1s max-stalled=2
producer p retries=0
workers  2 consumer=naive work=5s timeout=10s
jobs     4 every=8s fails=1
network  latency=500ms

chaos    drop complete rate=3%
chaos    crash w1 w2 rate=5% restart=1s..30s count=0..2
chaos    crash pump rate=40% restart=1s..30s count=0..3
chaos    pause w1 w2 rate=5% for=1s..60s count=0..2
chaos    pause pump rate=40% for=1s..60s count=0..3
chaos    clock queue rate=40% jump=+1s..+30s count=0..2
chaos    crash queue rate=40% restart=1s..20s count=0..2
quiet    time=2m

expect   chaos may-break no-duplicate-effect no-ghost terminal-absorbing drains
expect   held drains
