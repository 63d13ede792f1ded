# Work three times as long as the lease, with a heartbeat: one delivery and one
# effect.
#
# Why it exists: the remedy for work that may outlast its lease, without faults.
# Each extend moves the deadline; the second worker waits in vain. Set heartbeat
# to off and see the livelock story.
story  heartbeat-keeps-lease
worker w1 work=85s heartbeat=10s
worker w2 work=85s heartbeat=10s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

expect answer extend J1#1 = ok
expect deliveries J1 = 1
expect effects J1 = 1
expect held no-loss no-duplicate-effect single-holder deadline-monotone drains
