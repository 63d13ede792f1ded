# A paused worker's heartbeat renews the lease of another, who is dead: the death
# is found out much later than the lease promised.
#
# Why it exists: https://github.com/nats-io/nats-server/issues/6937: in JetStream
# the progress mark of an old delivery resets the timer of the current one (pgmq
# and asynq extend by id, too). w2 dies at once, and J1 waits until w1, which holds
# nothing, stops beating.
story  late-progress-counts-for-another
queue  echomq variant=no-extend-fence
worker w1 work=90s heartbeat=10s
worker w2
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  pause w1 time=5s for=28s
fault  crash w2 after=claim J1#2

expect refused complete J1#1
expect deliveries J1 = 3
expect broken stale-token-rejected no-duplicate-effect
expect held no-loss drains
