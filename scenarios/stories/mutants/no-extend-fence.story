# A queue that extends by id: the heartbeat of a worker that lost the job prolongs the
# lease of the one that has it.
#
# Why it exists: the second mutant of stale-token-rejected.
# https://github.com/nats-io/nats-server/issues/6937: a progress mark of an old
# delivery resets the timer of the current one; pgmq and asynq extend by id, too. The
# settlements are fenced here, only the heartbeat is not.
story    no-extend-fence
queue    echomq variant=no-extend-fence
producer p retries=0
workers  2 consumer=atomic work=20s heartbeat=10s
job      J1

chaos    pause w1 rate=5% for=20s..90s count=0..1
chaos    delay extend rate=5% by=10s..60s
chaos    crash w1 rate=5% restart=1s..30s count=0..1
quiet    time=2m

fault    pause w1 time=5s for=40s

expect   chaos may-break stale-token-rejected
expect   broken stale-token-rejected
expect   held no-loss no-duplicate-effect
