# A bad network for two minutes, drawn from a seed: requests and answers are lost
# and doubled, and every job has exactly one effect for all that.
#
# Why it exists: the cure under load. The consumers keep their marker in the
# transaction of the effect, and so whatever comes twice changes nothing. The
# machine is less lucky: an enqueue that is sent again when its job is done starts
# the tokens anew.
story  lossy-network
seed   7
network jitter=5ms loss=10% reply-loss=10% duplicate=10% until=2m
workers 3 consumer=atomic
jobs   20 every=500ms

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

expect effects J1 = 1
expect effects J20 = 1
expect held saw-redelivery saw-lost-ack saw-marker-skip
expect broken tokens-rise
expect held no-loss no-duplicate-effect stale-token-rejected one-place no-ghost drains
