# The store refuses the effect once, the handler returns an error, and the retry
# does the work.
#
# Why it exists: a failure that is known is harmless. The store said no, so nothing was
# changed; the worker says so, and no lease has to run out. Compare the times with
# crash-before-effect: two seconds instead of a whole lease.
story  handler-refused
queue  echomq retry-delay=1s
worker w1
job    J1

fault  error apply J1#1

expect chaos may-break no-duplicate-effect
expect answer retry J1#1 = scheduled
expect effects J1 = 1
expect deliveries J1 = 2
expect state J1 = completed
expect held no-loss no-duplicate-effect attempts-bounded drains
