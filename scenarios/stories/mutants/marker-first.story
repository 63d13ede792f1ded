# A consumer that writes its marker before the effect: a crash between the two, and
# the work is never done.
#
# Why it exists: the mutant of no-loss on the consumer's side. A SETNX at the top of
# the handler is the usual form. The queue says completed, and no effect was ever
# seen. The sound twin writes marker and effect in one transaction (consumer=atomic).
story    marker-first
queue    echomq
producer p retries=0
workers  2 consumer=marker-first
jobs     4 every=500ms

chaos    drop complete rate=5%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    crash w1 after=mark J1#1 restart=5s

expect   chaos may-break no-loss no-duplicate-effect
expect   effects J1 = 0
expect   broken no-loss
expect   held no-duplicate-effect drains
