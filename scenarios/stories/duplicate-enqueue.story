# The network doubles an enqueue, and the copy arrives when the job is done: it
# is admitted a second time, and runs a second time.
#
# Why it exists: EchoMQ dedupes by the row, and completion deletes the row. Its
# duplicate means "is here now", not "was here". The tokens start over with the
# new row, so that a store which fences by token is blind to it too.
story  duplicate-enqueue
worker w1 consumer=fenced
job    J1

fault  duplicate enqueue J1 after=1s

expect chaos may-break no-duplicate-effect
expect answer enqueue J1 = enqueued
expect effects J1 = 2
expect broken no-duplicate-effect tokens-rise
expect held no-loss admission-honest stale-token-rejected drains
