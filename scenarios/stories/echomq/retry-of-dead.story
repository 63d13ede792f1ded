# A job that the stalled sweep has buried is reported as failed by its slow worker: it
# is dead and scheduled at once, and is delivered again.
#
# Why it exists: a dead letter is the end of a job. An operator looks at it while it
# is run.
#
# Root cause: retry leaves active and pending only, and does not ask whether the job
# is dead.
# Closed by: retries-held
story  retry-of-dead
queue  echomq reap-every=off promote-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do sweep time=31s max=1
do retry J1#1 by=w1 time=32s

expect answer retry J1#1 = scheduled
expect state J1 = scheduled+dead
expect broken one-place terminal-absorbing
