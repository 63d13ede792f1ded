# A reaper that does not wait for the deadline: the job is leased to a second worker
# while the first lease runs.
#
# Why it exists: the mutant of single-holder. In asynq and Celery the reaper judges by
# its own clock or its own timeout, not by the lease that was granted. Nothing is
# wrong as long as every worker is quick and every ACK arrives.
story    early-expiry
queue    echomq variant=early-expiry
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop complete rate=3%
chaos    crash w1 w2 rate=2% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=2% for=1s..90s count=0..1
quiet    time=2m

fault    pause w1 after=claim J1#1 for=20s

expect   chaos may-break single-holder
expect   broken single-holder
expect   held no-loss no-duplicate-effect drains
