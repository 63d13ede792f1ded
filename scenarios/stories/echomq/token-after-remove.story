# An operator removes a job that is in work and enqueues it again: its two workers
# hold the same token, and each settles for the other.
#
# Why it exists: "remove and add again" is how a stuck job is restarted. The worker of
# the first life is not stuck, only slow.
#
# Root cause: the count of claims is a field of the row, and remove deletes the row.
# Closed by: queue-tokens
story  token-after-remove
chaos  off

do enqueue J1 time=1s
do claim by=w1 time=1s
do remove J1 time=1s
do enqueue J1 time=1s
do claim by=w2 time=1s
do complete J1#1 by=w1 time=2s

expect answer complete J1#1 = ok
expect broken tokens-rise stale-token-rejected
