# A consumer that looks for no marker: whenever an ACK is lost, the work is done
# again.
#
# Why it exists: the mutant of no-duplicate-effect, and what every consumer is before
# somebody thinks of redelivery. Most queues say so in their manual (at-least-once);
# Sidekiq, Celery and SQS ask for idempotent handlers. The sound twin is
# consumer=atomic.
story    naive
queue    echomq
producer p retries=0
workers  2 consumer=naive
jobs     4 every=500ms

chaos    drop complete rate=5%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    drop complete J2#1

expect   chaos may-break no-duplicate-effect
expect   broken no-duplicate-effect
expect   held no-loss stale-token-rejected drains
