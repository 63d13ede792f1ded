# A job is done and the server restarts; a second enqueue of the same id is
# admitted, and the work is done again.
#
# Why it exists: https://github.com/nats-io/nats-server/issues/3272: after a restart
# JetStream knows only the ids of messages that it still stores. EchoMQ never
# promises more: its duplicate means that a row stands now, restart or not.
story  dedup-forgotten
worker w1
job    J1

chaos  off

fault  crash queue time=1s restart=1s

do enqueue J1 time=1m

expect answer enqueue J1 = enqueued
expect effects J1 = 2
expect broken no-duplicate-effect tokens-rise
expect held no-loss admission-honest drains
