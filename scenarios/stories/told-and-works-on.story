# A worker wakes up, sends a heartbeat and is told that the job is no longer its own.
# It works on, and applies its effect for all that.
#
# Why it exists: eleven seconds lie between the refusal and the duplicate. As built
# nobody reads the answer to a heartbeat. A worker that stops its handler there, as
# BullMQ's can on lockRenewalFailed, does no harm this time; it narrows the gap,
# and a pause between the last beat and the effect opens it again.
story  told-and-works-on
worker w1 work=60s heartbeat=10s
worker w2 work=20s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  pause w1 time=5s for=44s

expect refused extend J1#1
expect answer complete J1#1 = gone
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held stale-token-rejected single-holder no-loss drains
