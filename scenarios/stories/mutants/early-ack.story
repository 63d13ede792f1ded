# A worker that acknowledges first and works afterwards: when it dies in between,
# nobody knows of the job.
#
# Why it exists: the second mutant of no-loss.
# https://github.com/celery/celery/issues/14 (acks_late is still off unless asked for)
# and https://github.com/sidekiq/sidekiq/issues/1831 (the job is popped before it
# runs). The sound twin has ack=late.
story    early-ack
queue    echomq
producer p retries=0
workers  2 consumer=atomic ack=early
jobs     4 every=500ms

chaos    drop claim complete rate=5%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    crash w1 before=apply J1#1 restart=5s

expect   chaos may-break no-loss
expect   effects J1 = 0
expect   broken no-loss
expect   held no-duplicate-effect drains
