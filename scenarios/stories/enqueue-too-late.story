# The answer to an enqueue is lost, and the job is done before the producer tries
# again: the same id is admitted afresh, and the work is done twice.
#
# Why it exists: EchoMQ deletes the row of a completed job, so `duplicate` means only
# that a row stands now. A retry under the same id is safe against a slow queue and
# not against a fast one. The producer did everything right.
story  enqueue-too-late
queue  echomq
worker w1
job    J1

fault  drop-reply enqueue J1

expect chaos may-break no-duplicate-effect
expect answer enqueue J1 = enqueued
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect tokens-rise
expect held admission-honest no-loss drains
