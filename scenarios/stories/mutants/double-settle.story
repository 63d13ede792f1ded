# A queue that says ok to the ACK of a job that is gone: the copy of an ACK is
# accepted like the first.
#
# Why it exists: the mutant of settled-once. In Google Pub/Sub a double ack is no
# error. Nothing is lost by it; what is lost is that the speaker learns whether it was
# the one who settled.
story    double-settle
queue    echomq variant=double-settle
producer p retries=0
workers  2 consumer=atomic settle-retries=1
jobs     4 every=500ms

chaos    drop-reply complete rate=3%
chaos    duplicate complete rate=3% by=1ms..10s
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    drop-reply complete J1#1

expect   chaos may-break settled-once stale-token-rejected terminal-absorbing
expect   broken settled-once terminal-absorbing
expect   held no-loss no-duplicate-effect drains
