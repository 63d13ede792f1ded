# A worker stands still past its lease, and the job is done twice.
#
# Why it exists: the fifth lesson varies the lease and the pause. Try it yourself: a
# longer lease forgives this pause, and a longer pause breaks that lease.
story  stopwatch
queue  echomq lease=30s
worker w1
worker w2
job    J1
horizon 2h

fault  pause w1 before=apply J1#1 for=45s

expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss drains
