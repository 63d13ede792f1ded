# The heartbeat of a worker that has reported a failure arrives late: the job is
# scheduled and active at once.
#
# Why it exists: a heartbeat is a thread of its own, and is overtaken by the
# settlement. The reap will make the job pending before its delay is over.
#
# Root cause: extend does not ask whether the job is in anybody's hand.
# Closed by: extends-held
story  extend-of-scheduled
worker w1 consumer=atomic work=12s heartbeat=10s
job    J1 fails=1

chaos  off

fault  delay extend J1#1 by=2100ms

expect answer extend J1#1 = ok
expect broken one-place
