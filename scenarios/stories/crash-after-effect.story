# A worker dies between its effect and its ACK: the gap again, without any network
# to blame.
#
# Why it exists: a perfect network does not help. Power is lost, the kernel kills the
# process, a deploy is impatient, and the job is done and not acknowledged. To the
# queue it is the same silence as a lost ACK, and it ends the same way.
story  crash-after-effect
queue  echomq
worker w1
worker w2
job    J1

fault  crash w1 after=apply J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect deliveries J1 = 2
expect twin J1#1
expect broken no-duplicate-effect
expect held no-loss drains
