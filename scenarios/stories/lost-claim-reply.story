# The answer to a claim is lost, and with it an attempt: the job dies after a single
# try of the two that it was allowed.
#
# Why it exists: EchoMQ counts attempts when it hands a job out, and the count is the
# fencing token as well. A delivery that nobody received counts like one that failed.
# The worker failed once; the queue writes two.
story  lost-claim-reply
queue  echomq max-attempts=2
worker w1
job    J1 fails=2

fault  drop-reply claim J1#1

expect chaos may-break no-duplicate-effect
expect answer claim J1#1 = lost-reply
expect answer retry J1#2 = dead
expect deliveries J1 = 2
expect effects J1 = 0
expect state J1 = dead
expect held attempts-bounded no-loss drains
