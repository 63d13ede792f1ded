# A call to an outside service takes longer than the handler waits: the retry has done
# the work by the time the first call does it, too.
#
# Why it exists: the handler gave up, not the call. The second charge comes when
# the job is completed and the worker has gone on, and no fence at the queue is
# asked. Only the service can tell that both are one: see outside-call-doubled.
story  outside-call-late
worker w1 consumer=external timeout=5s
job    J1

fault  delay apply J1#1 by=20s

expect chaos may-break no-duplicate-effect
expect state J1 = completed
expect deliveries J1 = 2
expect effects J1 = 2
expect broken no-duplicate-effect
expect held no-loss settled-once drains
