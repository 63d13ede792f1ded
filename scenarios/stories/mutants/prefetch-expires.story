# A client that takes a second job with each, into a buffer: its lease begins there, and
# may be over when a worker gets it.
#
# Why it exists: https://github.com/nats-io/nats.go/issues/1929 and
# https://github.com/Bogdanp/dramatiq_sqs/pull/53: what was prefetched expires in the
# client's buffer. Whoever is handed such a job takes the lease for his from then on, and
# the queue gives the job to the next. Nothing is wrong as long as the buffer is emptied in
# time.
story    prefetch-expires
queue    echomq variant=prefetch-expires
producer p retries=0
workers  2 consumer=atomic work=20s
jobs     4 every=500ms

chaos    drop complete rate=3%
chaos    pause w1 w2 rate=5% for=1s..90s count=0..1
chaos    crash w1 w2 rate=2% restart=1s..30s count=0..1
quiet    time=2m

fault    pause w2 time=20s for=32s

expect   chaos may-break single-holder mint-order
expect   broken single-holder mint-order
expect   held no-loss no-duplicate-effect drains
