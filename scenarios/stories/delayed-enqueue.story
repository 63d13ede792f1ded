# An enqueue is late, the producer sends it again, and the late one arrives when
# the job is done: one intent, two runs.
#
# Why it exists: re-sending under the same id is the right thing to do, and it is
# safe only while the first row stands. A caller who must know needs a marker
# that outlives the job.
story  delayed-enqueue
worker w1
job    J1

fault  delay enqueue J1 by=10s

expect chaos may-break no-duplicate-effect
expect answer enqueue J1 = enqueued
expect deliveries J1 = 2
expect effects J1 = 2
expect broken no-duplicate-effect tokens-rise
expect held no-loss admission-honest drains
