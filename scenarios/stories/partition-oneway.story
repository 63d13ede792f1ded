# Two cuts, each in one direction: w1 cannot speak, w2 cannot hear. Both workers
# see the same silence; J1 runs twice and J2 once.
#
# Why it exists: what the worker sees does not tell whether its ACK arrived. w1's
# complete is lost before the queue; w2's is applied and its answer lost. Compare
# the two timed-out records, and what became of their jobs.
story  partition-oneway
worker w1 work=2s
worker w2 work=2s
jobs   2 every=1ms

fault  partition w1 queue time=1s for=5s oneway
fault  partition queue w2 time=1s for=5s oneway

expect chaos may-break no-duplicate-effect
expect answer complete J1#1 = lost-request
expect answer complete J2#1 = lost-reply
expect deliveries J1 = 2
expect effects J1 = 2
expect deliveries J2 = 1
expect effects J2 = 1
expect twin J1#1
expect broken no-duplicate-effect
expect held no-loss stale-token-rejected drains
