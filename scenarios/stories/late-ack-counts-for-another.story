# A paused worker's ACK counts for the delivery of another, who dies: the job is
# done with by a run that was over before, and nobody looks after the second.
#
# Why it exists: https://github.com/nats-io/nats-server/issues/4786: JetStream
# takes the ACK of an earlier delivery for the current one. w2 dies, and no
# redelivery follows. That nothing is lost is luck: w1 had done its work before it
# stood still.
story  late-ack-counts-for-another
queue  echomq variant=no-fence
worker w1
worker w2 work=20s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  pause w1 before=settle J1#1 for=40s
fault  crash w2 before=apply J1#2

expect answer complete J1#1 = ok
expect deliveries J1 = 2
expect effects J1 = 1
expect state J1 = completed
expect broken stale-token-rejected
expect held no-loss no-duplicate-effect drains
