# A fence at the store does not close a lost ACK: the second delivery has the higher
# token, and passes.
#
# Why it exists: a fence and a marker answer different questions. The fence asks who is
# the younger, the marker whether it is done. The redelivery is the youngest there is,
# in good standing, and does the work a second time.
story  fenced-store-lost-ack
queue  echomq
worker w1 consumer=fenced
worker w2 consumer=fenced
job    J1

fault  drop complete J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held stale-token-rejected no-loss
