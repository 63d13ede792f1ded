# The answer to a push is lost, and the client pushes again under a new name: two
# jobs for one intent, and two effects.
#
# Why it exists: https://github.com/sidekiq/sidekiq/issues/3303 and
# https://github.com/redis/go-redis/issues/2339: the Redis client re-sends an LPUSH
# by itself, and a list has no ids to compare. Without fresh-id the second push
# is answered duplicate, and nothing happens twice.
story  push-retried-by-client
producer p fresh-id
workers 2
job    J1

fault  drop-reply enqueue J1

expect chaos may-break no-duplicate-effect
expect answer enqueue J1 = enqueued
expect deliveries J1 = 2
expect effects J1 = 2
expect broken no-duplicate-effect
expect held no-loss admission-honest single-holder drains
