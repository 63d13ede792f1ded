# A completed job is enqueued again under its id, and its first worker is given the
# token that another had: a late word of that one is taken for its own.
#
# Why it exists: ids that mean something ("invoice-17") come back. The fence is only
# as good as its numbers.
#
# Root cause: the count of claims is a field of the row, and complete deletes the row.
# Closed by: queue-tokens
story  token-after-complete
chaos  off

do enqueue J1 time=1s
do claim by=w1 time=1s
do complete J1#1 by=w1 time=1s
do enqueue J1 time=1s
do claim by=w2 time=1s
do retry J1#1 by=w1 time=2s

expect answer retry J1#1 = scheduled
expect broken tokens-rise stale-token-rejected settled-once
