# A job whose handler fails every time is dead at the cap, and dead is not lost.
#
# Why it exists: the road that a retry is meant to take, with no fault in it. Three
# attempts, a delay between them, the third retry answered dead, and the job kept
# where an operator finds it.
story  failing-job-dies
queue  echomq max-attempts=3
worker w1
job    J1 fails=3

expect chaos may-break no-duplicate-effect
expect answer retry J1#2 = scheduled
expect answer retry J1#3 = dead
expect deliveries J1 = 3
expect effects J1 = 0
expect state J1 = dead
expect held attempts-bounded no-loss drains
