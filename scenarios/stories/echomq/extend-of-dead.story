# The heartbeat of a worker that has given a job up arrives late: the job is dead and
# active at once.
#
# Why it exists: a lease on a dead letter. When it lapses, the reap makes the dead job
# pending, and it is delivered.
#
# Root cause: extend does not ask whether the job is dead.
# Closed by: extends-held
story  extend-of-dead
queue  echomq reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s max=1
do extend J1#1 by=w1 time=3s

expect answer extend J1#1 = ok
expect state J1 = active+dead
expect broken one-place terminal-absorbing
