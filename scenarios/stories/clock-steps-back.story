# The server's clock is set back by twenty seconds: a heartbeat shortens the
# lease that it should have lengthened.
#
# Why it exists: extend writes now + lease without a look at the old deadline
# (pgmq's set_vt and asynq do likewise). Nobody is harmed here, because the next
# beat comes in time; with a shorter margin a live lease would be reaped.
story  clock-steps-back
worker w1 work=42s heartbeat=10s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  clock queue jump=-20s time=25s

expect effects J1 = 1
expect deliveries J1 = 1
expect broken deadline-monotone
expect held no-loss no-duplicate-effect drains
