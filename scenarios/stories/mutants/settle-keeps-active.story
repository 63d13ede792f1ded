# A queue that deletes a completed job's row and leaves its id among the leased: a
# lease of nothing.
#
# Why it exists: the mutant of no-ghost. https://github.com/hibiken/asynq/issues/1051:
# tasks that are completed in reality, just not deleted from active. Every ACK of a
# live lease leaves one. Nobody reaps here: a reap would make half a row of it, and a
# claim hand it out without a payload, again and again.
story    settle-keeps-active
queue    echomq variant=settle-keeps-active reap-every=off
producer p retries=0
workers  2 consumer=atomic
job      J1

chaos    drop enqueue rate=30%
chaos    delay complete rate=20% by=1s..60s
chaos    error apply rate=20%
quiet    time=2m

expect   chaos may-break no-ghost drains
expect   state J1 = ghost
expect   broken no-ghost drains
expect   held no-loss no-duplicate-effect
