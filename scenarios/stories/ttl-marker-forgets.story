# A marker that is forgotten before the redelivery comes is no marker.
#
# Why it exists: SQS FIFO remembers a deduplication id for five minutes, EchoMQ's
# course a job for a day (`seen:<JOB>`), many a cache for less. A redelivery comes a
# lease later at the earliest, and nothing bounds it from above: a worker can stand
# still, an operator can reprocess next week. Memory must outlast the longest way back.
story  ttl-marker-forgets
queue  echomq lease=30s
worker w1 consumer=ttl-marker:20s
worker w2 consumer=ttl-marker:20s
job    J1

fault  drop complete J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss
