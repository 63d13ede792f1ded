# A heartbeat that comes when the lease is over puts the job back among the leased,
# wherever it is by then.
#
# Why it exists: the second mutant of one-place, which is EchoMQ as built: extend
# compares the token and does not ask whether anybody has the job in hand. Of a
# reaped job, or of one whose settlement overtook the heartbeat, it makes one that is in
# two places. The sound twin sends no heartbeat.
story    late-heartbeat
queue    echomq
producer p retries=0
workers  2 consumer=atomic work=20s heartbeat=10s
jobs     2 every=500ms fails=1

chaos    delay extend rate=5% by=1s..60s
chaos    duplicate extend rate=3% by=1s..60s
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
quiet    time=2m

fault    delay extend J1#1 by=10500ms

expect   chaos may-break one-place
expect   broken one-place
expect   held no-loss no-duplicate-effect
