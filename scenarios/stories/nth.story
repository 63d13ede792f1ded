# Twice in a row the ACK of one delivery is lost, and the worker sends it no third
# time: the job is delivered again.
#
# Why it exists: nth=2 is the second sending of the same request. A worker that
# keeps sending makes the gap smaller, and never closes it: whatever number of
# tries it has, one more can be lost.
story  nth
worker w1 settle-retries=1
job    J1

fault  drop complete J1#1
fault  drop complete J1#1 nth=2

expect chaos may-break no-duplicate-effect settled-once tokens-rise
expect answer complete J1#1 = lost-request
expect deliveries J1 = 2
expect effects J1 = 2
expect broken no-duplicate-effect
expect held no-loss drains
