# The worlds of far-away with a queue that is hardened and consumers that look for a
# marker: most of them hold every promise.
#
# Why it exists: in far-away hardly a world does, and what was tried only where
# something broke anyhow was not tried.
story    far-away-hardened
queue    echomq variant=hardened lease=60s max-attempts=6 retry-delay=3s
producer p retries=1 timeout=10s
worker   w1 consumer=marker-last work=10s heartbeat=8s timeout=20s
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

expect   chaos may-break no-duplicate-effect
expect   held drains
