# A queue that answers stale to the failure of an old delivery and makes the job pending
# all the same, from under the new one.
#
# Why it exists: a refusal that writes, of a retry. In NATS JetStream a Nak names an
# entry and not which delivery of it (https://github.com/nats-io/nats-server/issues/4786);
# a FAIL of Faktory names a job id, and takes it from whoever has it reserved by then. The
# job that is running is handed to a third worker.
story    stale-nak-requeues
queue    echomq variant=stale-nak-requeues
producer p retries=0
workers  2 consumer=atomic work=5s
jobs     4 every=500ms

chaos    error apply rate=20%
chaos    delay retry rate=30% by=20s..40s
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
chaos    crash w1 w2 rate=2% restart=1s..30s count=0..1
quiet    time=2m

fault    error apply J1#1
fault    delay retry J1#1 by=27s

expect   chaos may-break stale-token-rejected single-holder
expect   answer retry J1#1 = stale
expect   broken stale-token-rejected single-holder
expect   held no-loss no-duplicate-effect drains
