# Random worlds in which nothing is lost and nobody dies: ACKs are slow, and the
# queue's clock jumps ahead. That is enough to do work twice.
#
# Why it exists: a lease is a bet on time, so that time alone can lose it. A plain run
# draws none of this, and each job has one effect. In the random worlds the fence
# refuses whoever comes too late, and nothing but the effect may be doubled.
story  chaos-slow-and-skewed
workers 2 work=5s
jobs   4 every=2s

chaos  delay complete rate=20% by=10s..1m
chaos  clock queue rate=50% jump=+1s..+1m count=0..2
quiet  time=3m

expect chaos may-break no-duplicate-effect
expect effects J4 = 1
expect held no-loss no-duplicate-effect drains
