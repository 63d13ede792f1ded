# An id that was completed is enqueued again: admitted afresh, with its token back
# at one.
#
# Why it exists: BullMQ warns of it (a removed job is no duplicate,
# taskforcesh/bullmq#941), EchoMQ removes at completion. Each incarnation is served
# once and settled once, so look at the tokens: J1#1 and J1#2 both hold 1. A fence
# that compares them cannot tell the two apart.
story  enqueue-after-completion
queue  echomq
worker w1
job    J1

chaos  off

do     enqueue J1 time=10s

expect answer enqueue J1 = enqueued
expect deliveries J1 = 2
expect effects J1 = 2
expect broken no-duplicate-effect tokens-rise
expect held admission-honest settled-once terminal-absorbing
