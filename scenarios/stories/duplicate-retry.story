# The network doubles a retry: both are accepted, and the second pushes the job's
# next run further away.
#
# Why it exists: a token is good from its claim until the next one, so that it
# settles twice as long as nobody claims. As built the copy does no harm to the
# work; it breaks the promise that a delivery is settled once.
story  duplicate-retry
worker w1
job    J1 fails=1

fault  duplicate retry J1#1 after=500ms

expect chaos may-break no-duplicate-effect
expect answer retry J1#1 = scheduled
expect deliveries J1 = 2
expect effects J1 = 1
expect broken settled-once
expect held no-loss no-duplicate-effect one-place attempts-bounded drains
