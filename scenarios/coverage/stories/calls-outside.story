# The effect is a call to an outside service, which may be lost, late or doubled, as
# may its answer.
#
# Why it exists: the only consumers whose apply is a message. One of them gives
# the service no key, so that a doubled call is a doubled effect: what befalls an apply
# has to be seen in worlds that break, too.
story    calls-outside
queue    echomq lease=30s
producer p retries=1
worker   w1 consumer=external heartbeat=10s
worker   w2 consumer=external-key heartbeat=10s
jobs     3 every=500ms

chaos    drop apply rate=10%
chaos    drop-reply apply rate=10%
chaos    delay apply rate=5% by=1ms..10s
chaos    delay-reply apply rate=5% by=1ms..10s
chaos    duplicate apply rate=10% by=1ms..10s
chaos    crash w1 w2 rate=3% restart=1s..60s count=0..1
quiet    time=2m

expect   chaos may-break no-duplicate-effect
expect   held drains
