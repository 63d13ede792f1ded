# A worker dies, and the reaper that should find it out dies with the same machine:
# the job waits until the reaper is back, not until the lease is over.
#
# Why it exists: EchoMQ's consumer reaps for itself, between two rounds of work; where
# all of them run on one host, they fall together. A lease that nobody looks at does
# not expire. w2 stands idle for more than two minutes.
story  reaper-dies-too
worker w1
worker w2
job    J1

fault  crash w1 after=claim J1#1
fault  crash pump time=10s restart=150s

expect chaos may-break no-duplicate-effect
expect deliveries J1 = 2
expect effects J1 = 1
expect held no-loss no-duplicate-effect drains
