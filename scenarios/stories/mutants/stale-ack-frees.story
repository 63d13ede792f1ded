# A queue that refuses an old ACK and lets it do harm all the same: the lease of the
# new owner is gone, and with it the net that would catch his job.
#
# Why it exists: a refusal that writes. XACK of Redis Streams names the group and the
# entry and not the consumer; a lock that is deleted without a look at whose it is
# falls with the first who comes late. If the new owner dies then, nobody knows of
# his job any more.
story    stale-ack-frees
queue    echomq variant=stale-ack-frees
producer p retries=0
workers  2 consumer=atomic work=1s
jobs     4 every=500ms

chaos    delay complete rate=10% by=1s..60s
chaos    pause w1 w2 rate=5% for=1s..90s count=0..1
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
quiet    time=2m

fault    pause w1 after=apply J1#1 for=30500ms

expect   chaos may-break stale-token-rejected no-loss no-ghost drains
expect   answer complete J1#1 = stale
expect   broken stale-token-rejected no-loss no-ghost
expect   held no-duplicate-effect
