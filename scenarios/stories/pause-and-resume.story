# An operator pauses the queue, takes out a bad job, and resumes: what waits in a
# paused queue is still within reach.
#
# Why it exists: what the verb is for. Both jobs come while the queue is paused and
# wait; J1 is removed, J2 runs after the resume. A worker that is told of the pause
# does not ask for jobs: see pause-misses-a-claim for the one that asked just before.
story  pause-and-resume
worker w1
job    J1 at=3s
job    J2 at=4s

chaos  off

do pause time=2s
do remove J1 time=9s
do resume time=10s

expect effects J1 = 0
expect state J1 = removed
expect effects J2 = 1
expect held no-loss no-duplicate-effect work-conserving drains
