# A worker's heartbeat stands still while its work goes on: the lease lapses
# under a healthy worker, and a second one does the work again.
#
# Why it exists: a heartbeat in a timer of its own proves that the timer lives,
# and here it is the timer that starves (a blocked event loop, a long garbage
# collection, bull's stalled jobs). To the queue it is as dead as a crashed one.
story  heartbeat-stalls
worker w1 work=45s heartbeat=10s
worker w2 work=45s heartbeat=10s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  stall heartbeat w1 time=5s for=60s

expect refused complete J1#1
expect effects J1 = 2
expect deliveries J1 = 2
expect twin J1#1
expect broken no-duplicate-effect
expect held no-loss stale-token-rejected single-holder drains
