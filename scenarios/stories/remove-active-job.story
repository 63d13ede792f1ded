# An operator removes a job that a worker has in hand: the work goes on, and its
# ACK is answered gone.
#
# Why it exists: remove as built takes a job from everywhere, but nobody tells the
# worker. The answer that could tell it is discarded. A removal is not a recall:
# the effect happens nevertheless.
story  remove-active-job
worker w1 work=10s
job    J1

chaos  off

do remove J1 time=3s

expect answer remove J1 = ok
expect answer complete J1#1 = gone
expect effects J1 = 1
expect state J1 = removed
expect held no-loss no-duplicate-effect no-ghost drains
