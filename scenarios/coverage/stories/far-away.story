# Everything strikes workers and a producer that are far away, so that much is on its
# way whenever something happens.
#
# Why it exists: a message that travels for a millisecond is never in flight when a
# clock steps at a random time. Here each travels for three seconds, a worker stands
# still between its steps for long, and jobs come late, so that a crash, a pause, a
# clock and a restart of the server find every phase.
story    far-away
queue    echomq lease=60s max-attempts=6 retry-delay=3s
producer p retries=1 timeout=10s
worker   w1 consumer=marker-first work=10s heartbeat=8s timeout=20s
worker   w2 consumer=atomic work=10s heartbeat=8s timeout=20s
jobs     6 every=12s fails=1
network  latency=3s jitter=500ms

chaos    drop rate=3%
chaos    drop-reply rate=3%
chaos    delay rate=3% by=1ms..60s
chaos    delay-reply rate=3% by=1ms..60s
chaos    duplicate rate=3% by=1ms..60s
chaos    crash w1 w2 p rate=5% restart=1s..60s count=0..2
chaos    crash pump rate=40% restart=1s..60s count=0..3
chaos    pause w1 w2 rate=12% for=1s..60s count=0..3
chaos    pause p rate=12% for=1s..20s count=0..3
chaos    pause pump rate=40% for=1s..60s count=0..3
chaos    stall w1 w2 rate=40% for=10s..60s count=0..2
chaos    partition w1 w2 p rate=30% for=1s..40s count=0..2
chaos    error apply rate=5%
chaos    clock w1 w2 p rate=30% jump=+1s..+60s
chaos    clock queue rate=60% jump=+1s..+20s count=0..5
chaos    crash queue rate=40% restart=1s..30s count=0..3
quiet    time=3m

expect   chaos may-break no-loss no-duplicate-effect settled-once one-place no-ghost
expect   chaos may-break tokens-rise single-holder terminal-absorbing
expect   held drains
