# A queue that calls a completed id a duplicate: the producer hears that its job is in
# good hands, and no hand has it.
#
# Why it exists: the mutant of admission-honest. SQS FIFO dedupes beyond the delete,
# and QStash does though the first try has failed
# (https://github.com/upstash/qstash-js/issues/13). It takes an enqueue that is sent
# again after its job has been completed.
story    phantom-duplicate
queue    echomq variant=phantom-duplicate
producer p retries=2
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop-reply enqueue rate=5%
chaos    duplicate enqueue rate=5% by=1ms..10s
chaos    crash w1 w2 rate=5% restart=1s..30s count=0..1
quiet    time=2m

fault    drop-reply enqueue J1

expect   chaos may-break admission-honest
expect   broken admission-honest
expect   held no-loss no-duplicate-effect drains
