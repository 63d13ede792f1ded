# A heartbeat and an ACK that come after the reap leave an id in pending that has
# no row: the ghost of a finished job is delivered and done once more.
#
# Why it exists: late-extend-two-places with a real worker, which is out of reach
# until after the reap, while nobody else asks for jobs. Its beat makes the job active
# again, and complete takes it out of active only. The second run has no payload
# to work on.
story  late-extend-ghost
worker w1 work=45s heartbeat=10s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  partition w1 queue time=3s for=35s

expect answer extend J1#1 = ok
expect deliveries J1 = 2
expect effects J1 = 2
expect broken one-place no-ghost tokens-rise terminal-absorbing no-duplicate-effect
expect held no-loss stale-token-rejected
