# A job that was reaped is drained and enqueued again: its slow worker holds the token
# of the one that has it now.
#
# Why it exists: the other verb that deletes rows: see token-after-remove.
#
# Root cause: the count of claims is a field of the row, and drain deletes the rows of
# what is pending.
# Closed by: queue-tokens
story  token-after-drain
queue  echomq lease=1s reap-every=off

chaos  off

do enqueue J1 time=1s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=1s delay=0s
do promote time=1s
do drain time=1s
do enqueue J1 time=1s
do claim by=w2 time=1s
do extend J1#1 by=w1 time=1500ms

expect answer extend J1#1 = ok
expect broken tokens-rise stale-token-rejected
