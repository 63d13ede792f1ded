# A worker reports a failure and the report is lost: the retry, due in a second, takes
# a whole lease.
#
# Why it exists: a lost failure costs time and no more. The attempt was counted at the
# claim, so that the cap still holds and the third failure buries the job; but what
# went wrong the first time is not written anywhere. Silence after a failure and
# silence after a success are one and the same, and here redelivery is right.
story  lost-failure-report
queue  echomq max-attempts=3 retry-delay=1s
worker w1
job    J1 fails=3

fault  drop retry J1#1

expect chaos may-break no-duplicate-effect
expect answer retry J1#1 = lost-request
expect answer retry J1#3 = dead
expect deliveries J1 = 3
expect state J1 = dead
expect held attempts-bounded no-loss drains
