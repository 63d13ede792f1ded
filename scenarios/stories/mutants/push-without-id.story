# A client that pushes again what was not answered, and lets each push have an id of its
# own: one intent, two jobs, two effects.
#
# Why it exists: the sixth mutant of no-duplicate-effect, and the one that no marker
# keyed by the job's id finds. https://github.com/sidekiq/sidekiq/issues/3303 and
# https://github.com/redis/go-redis/issues/2339: the Redis client re-sends an LPUSH
# by itself, and a list has no ids to compare. The sound twin sends the same id.
story    push-without-id
queue    echomq
producer p retries=1 timeout=2s fresh-id
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop-reply enqueue rate=5%
chaos    delay enqueue rate=3% by=1ms..10s
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
quiet    time=2m

fault    drop-reply enqueue J2

expect   chaos may-break no-duplicate-effect
expect   broken no-duplicate-effect
expect   held no-loss drains
