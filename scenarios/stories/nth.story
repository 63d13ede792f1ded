# Twice in a row the ACK of one delivery is lost, and the worker sends it no third
# time: the job is delivered again.
#
# Why it exists: nth=2 is the second sending of the same request. A worker that
# keeps sending makes the gap smaller, and never closes it: whatever number of
# tries it has, one more can be lost.
story  nth
worker w1 settle-retries=1
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  drop complete J1#1
fault  drop complete J1#1 nth=2

expect answer complete J1#1 = lost-request
expect deliveries J1 = 2
expect effects J1 = 2
expect broken no-duplicate-effect
expect held no-loss drains
