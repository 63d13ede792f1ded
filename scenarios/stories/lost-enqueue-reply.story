# The answer to an enqueue is lost, the producer sends it again under the same id,
# and the queue says duplicate: one job.
#
# Why it exists: admission has a gap of its own, and an id minted by the producer
# closes it, as BullMQ's custom job ids do. It does so only for as long as the job's
# row exists: this one is still at work when the second enqueue comes.
# enqueue-too-late shows the other case.
story  lost-enqueue-reply
queue  echomq
worker w1 work=10s
job    J1

fault  drop-reply enqueue J1

expect chaos may-break no-duplicate-effect
expect answer enqueue J1 = duplicate
expect effects J1 = 1
expect deliveries J1 = 1
expect held admission-honest no-duplicate-effect no-loss
