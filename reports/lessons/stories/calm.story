# One job, one worker, and nothing goes wrong: how it should be.
#
# Why it exists: the first picture of the first lesson, small enough for 80 columns.
story  calm
queue  echomq
worker w1
job    J1

expect effects J1 = 1
expect deliveries J1 = 1
expect state J1 = completed
expect held no-loss no-duplicate-effect drains
