# A queue that says ok to an ACK and forgets it: the job is done, and never done with.
#
# Why it exists: the third mutant of drains. SQS standard may do so for an old receipt
# handle, Pub/Sub for an old ack id. Nobody reaps here, so that the job stays in
# active for ever; with a reaper it would be delivered again, lease after lease. Its
# effect is right and every answer is ok: only liveness tells.
story    ignores-ack
queue    echomq variant=ignores-ack reap-every=off
producer p retries=0
workers  2 consumer=atomic
job      J1

chaos    drop enqueue rate=30%
chaos    delay complete rate=20% by=1s..60s
chaos    error apply rate=20%
quiet    time=2m

expect   chaos may-break drains
expect   answer complete J1#1 = ok
expect   state J1 = active
expect   broken drains
expect   held no-loss no-duplicate-effect stale-token-rejected
