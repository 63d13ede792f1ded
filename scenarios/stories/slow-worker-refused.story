# Work that takes longer than its lease: the job is given to another worker while
# the first is still at it, and the slow one's ACK is refused.
#
# Why it exists: no crash, no lost message, only a lease that was guessed too short.
# Celery with Redis does this past the visibility timeout (celery/celery#5935), Bull
# with what it calls a stalled job (OptimalBits/bull#308). The consumer of EchoMQ sends
# no heartbeat. Look at the times: from 31s to 45s both workers are at work.
story  slow-worker-refused
queue  echomq lease=30s
worker w1 work=45s
worker w2 work=20s
job    J1

expect chaos may-break no-duplicate-effect
expect refused complete J1#1
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held stale-token-rejected single-holder no-loss
