# A consumer that writes its marker after the effect: a crash or a pause between the
# two does the work twice.
#
# Why it exists: the second mutant of no-duplicate-effect, harder to catch than the
# naive one: a lost ACK does not hurt it. Check, then act, then note is how most
# hand-written dedup tables are used. The sound twin writes marker and effect in one
# transaction (consumer=atomic).
story    marker-last
queue    echomq
producer p retries=0
workers  2 consumer=marker-last
jobs     4 every=500ms

chaos    drop complete rate=5%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    crash w1 after=apply J1#1 restart=5s

expect   chaos may-break no-duplicate-effect
expect   broken no-duplicate-effect
expect   held no-loss drains
