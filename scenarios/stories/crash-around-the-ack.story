# Two workers die in the same millisecond, one before its ACK leaves and one after: the
# first job runs again, the second does not.
#
# Why it exists: where exactly the gap lies. The effects of both were applied and
# both workers are dead; a request that has left needs no sender, and its answer finds
# nobody. `expect twin` asks about any delivery: J1#1 might as well not have run.
story  crash-around-the-ack
worker w1
worker w2
worker w3
jobs   2 every=1ms

fault  crash w1 before=settle J1#1
fault  crash w2 after=settle J2#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect deliveries J1 = 2
expect answer complete J2#1 = lost-reply
expect effects J2 = 1
expect deliveries J2 = 1
expect twin
expect broken no-duplicate-effect
expect held no-loss drains
