# The call to the outside service is lost on its way there: the handler waits,
# reports a failure, and the retry does the work.
#
# Why it exists: the harmless half of outside-call-drop-reply. Worker and queue write
# the same record in both, timeout and retry and all; only the service knows that it
# was never asked. Here a blind retry is right, and there it is wrong.
story  outside-call-lost
worker w1 consumer=external timeout=5s
job    J1

fault  drop apply J1#1

expect chaos may-break no-duplicate-effect
expect answer retry J1#1 = scheduled
expect deliveries J1 = 2
expect effects J1 = 1
expect held no-loss no-duplicate-effect attempts-bounded drains
