# One job, two workers, and nothing goes wrong: the world of most lessons, before the
# mishap.
#
# Why it exists: the lessons add one fault to it at a time, and so can you.
story  one-job
queue  echomq
worker w1
worker w2
job    J1

expect effects J1 = 1
expect deliveries J1 = 1
expect state J1 = completed
expect held no-loss no-duplicate-effect drains
