# A server is down for four seconds and forgets nothing; what was sent to it
# meanwhile is lost all the same.
#
# Why it exists: the counterpart of the stories in which a restart forgets. The
# enqueue of J2 falls into the outage and is sent again. The ACK of J1 does, too,
# and is not: the job is delivered again, and the consumer's marker keeps its
# effect at one. Leases went on by the clock.
story  server-restart-loses-nothing
worker w1 consumer=atomic work=2s
job    J1
job    J2 at=1.5s

fault  crash queue time=1s restart=4s

expect answer complete J1#1 = lost-request
expect deliveries J1 = 2
expect effects J1 = 1
expect deliveries J2 = 1
expect effects J2 = 1
expect held no-loss no-duplicate-effect terminal-absorbing tokens-rise drains
