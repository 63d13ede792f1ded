# A fault that may or may not find its point: the ACK of a second delivery, which
# here never comes about.
#
# Why it exists: a fault that never fires fails a story, for a test that tested
# nothing looks like one that passed. Where that is meant, the question mark says
# so; take it away and see the message.
story  optional-fault
worker w1
job    J1

fault? drop complete J1#2

expect chaos may-break no-duplicate-effect
expect deliveries J1 = 1
expect effects J1 = 1
expect held no-loss no-duplicate-effect drains
