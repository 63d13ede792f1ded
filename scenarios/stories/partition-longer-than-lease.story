# A worker is cut off for longer than its lease and works on: the job is given
# away, and the fence refuses the first worker when it is heard again.
#
# Why it exists: from the queue's side a partition looks like a death. Neither
# heartbeats nor re-sent settlements help while the cut lasts. The fence closes
# the queue's half of the gap; the outside ledger has two changes nevertheless.
story  partition-longer-than-lease
worker w1 work=45s heartbeat=10s settle-retries=5
worker w2 work=45s heartbeat=10s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  partition w1 queue time=3s for=60s

expect refused complete J1#1
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss stale-token-rejected single-holder one-place drains
