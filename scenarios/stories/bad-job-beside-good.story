# Of three jobs one fails every time. It goes ahead of younger ones whenever it comes
# back, and yet does not stop them.
#
# Why it exists: EchoMQ serves pending by id, and a retried job keeps its id: at 4s the
# bad one is served before the late one, which has waited for three seconds. What lets
# the others through is the delay between its tries, and the cap.
story  bad-job-beside-good
queue  echomq max-attempts=3 retry-delay=1s
worker w1 work=2s
job    bad fails=3
job    good
job    late at=1s

expect chaos may-break no-duplicate-effect
expect state bad = dead
expect deliveries bad = 3
expect state good = completed
expect state late = completed
expect held mint-order attempts-bounded no-loss drains
