# A retry and then a complete of the same delivery: the job is gone and its id
# stays in the schedule, from where it is promoted and delivered without a row.
#
# Why it exists: complete as built takes an id out of active, or else out of
# pending. It never looks into schedule and dead. The second claim is answered ok
# with no payload: a worker is handed the ghost of a job.
story  complete-misses-schedule

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s
do complete J1#1 by=w1 time=2500ms
do promote time=3s
do claim by=w2 time=5s

expect answer complete J1#1 = ok
expect answer claim J1#2 = ok
expect state J1 = ghost
expect broken settled-once no-ghost tokens-rise terminal-absorbing
