# A store that fences, and has no marker: the redelivery after a lost ACK has the
# higher token, and passes.
#
# Why it exists: the fifth mutant of no-duplicate-effect. A fencing token (Kleppmann,
# "How to do distributed locking", 2016) keeps the late out; the redelivery is not
# late. Where only pauses strike, this consumer is sound. The sound twin has a marker
# (consumer=atomic).
story    fenced
queue    echomq
producer p retries=0
workers  2 consumer=fenced
jobs     4 every=500ms

chaos    drop complete rate=3%
chaos    pause w1 w2 rate=5% for=1s..90s count=0..1
quiet    time=2m

fault    drop complete J1#1

expect   chaos may-break no-duplicate-effect
expect   broken no-duplicate-effect
expect   held no-loss stale-token-rejected drains
