# The service does what it was asked and its answer is lost: the handler reports a
# failure that was none, and the retry charges again.
#
# Why it exists: the two generals once more, one hop further out. Queue and worker do
# everything right, not even the ACK is lost. A timeout is not a refusal: it says
# nothing about what happened.
story  outside-call-drop-reply
queue  echomq
worker w1 consumer=external
job    J1

fault  drop-reply apply J1#1

expect chaos may-break no-duplicate-effect
expect answer retry J1#1 = scheduled
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss attempts-bounded
