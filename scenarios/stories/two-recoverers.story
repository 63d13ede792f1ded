# Two recoverers read the same expired job and act one after the other: the second
# takes it from the worker to whom the first had given it.
#
# Why it exists: https://github.com/hibiken/asynq/issues/717. Both list J1 as
# expired and retry it by id; between the two writes w2 has leased it. Each of
# them also spends an attempt.
story  two-recoverers
queue  echomq variant=no-fence reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=r1 time=31s
do claim by=w2 time=33s
do retry J1#1 by=r2 time=34s
do claim by=w3 time=36s

expect answer claim J1#3 = ok
expect broken single-holder stale-token-rejected settled-once
