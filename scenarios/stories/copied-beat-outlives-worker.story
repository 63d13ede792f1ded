# A worker dies. Twenty seconds later the network delivers a copy of its last
# heartbeat, and the dead worker's lease is good for thirty seconds more.
#
# Why it exists: a lease is said to bound how long a death goes unnoticed. It bounds
# the silence after the last message that arrives, and a copy speaks for whoever sent
# it. Here J1 is taken back at 66s instead of at 41s. A beat with a number, and
# a queue that takes each once, would not be fooled.
story  copied-beat-outlives-worker
worker w1 work=20s heartbeat=10s
worker w2 work=1s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  duplicate extend J1#1 after=25s
fault  crash w1 time=12s

expect answer extend J1#1 = lost-reply
expect deliveries J1 = 2
expect effects J1 = 1
expect held no-loss no-duplicate-effect deadline-monotone single-holder drains
