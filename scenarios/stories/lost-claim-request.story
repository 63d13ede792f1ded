# A claim is lost before the queue sees it: a timeout later the worker asks again,
# and nothing else has happened.
#
# Why it exists: the one end of a claim at which a loss is free. No delivery is
# counted, no attempt spent, no lease given to nobody: compare lost-claim-reply and
# claim-arrives-late, which look the same to the worker.
story  lost-claim-request
worker w1
job    J1

fault  drop claim J1#1

expect chaos may-break no-duplicate-effect
expect answer claim J1#1 = ok
expect deliveries J1 = 1
expect effects J1 = 1
expect held no-loss no-duplicate-effect drains
