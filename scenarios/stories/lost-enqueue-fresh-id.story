# The answer to an enqueue is lost, and the producer tries again under a fresh id:
# two jobs for one intent.
#
# Why it exists: whoever lets the queue mint the id, or mints a new one in the retry
# loop, has this. Both jobs are honest, each is delivered once and settled once, and
# no marker keyed by job id can tell that they are one order.
story    lost-enqueue-fresh-id
queue    echomq
producer p fresh-id
worker   w1 consumer=atomic
job      J1

fault    drop-reply enqueue J1

expect   effects J1 = 2
expect   deliveries J1 = 2
expect   broken no-duplicate-effect
expect   held no-loss settled-once tokens-rise
