# A clean-up reads the clock twice: what expires between the two readings is
# deleted and never moved.
#
# Why it exists: https://github.com/rq/rq/issues/454, mended by
# https://github.com/rq/rq/pull/456. A worker's death, and a lease that ends three
# milliseconds after the first reading, lose a job for which the producer holds an answer.
story  cleanup-with-two-clock-reads
queue  echomq variant=two-clock-reads
worker w1 consumer=atomic
worker w2 consumer=atomic
job    J1

fault  crash w1 after=claim J1#1

expect chaos may-break no-loss no-ghost drains
expect effects J1 = 0
expect state J1 = ghost
expect broken no-loss no-ghost drains
