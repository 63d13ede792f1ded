# A claim that was given up for lost arrives after all, and takes a job for a caller
# who has stopped listening.
#
# Why it exists: a timeout ends the waiting, not the request. The worker asked again
# and does J1; its first claim, ten seconds late, is granted J2 and answered to
# nobody. J2 waits for a whole lease beside an idle worker, one attempt poorer.
# A claim has no token by which it could be called off.
story  claim-arrives-late
worker w1 timeout=5s work=20s
job    J1
job    J2 at=8s

fault  delay claim J1#1 by=10s

expect chaos may-break no-duplicate-effect
expect deliveries J1 = 1
expect effects J1 = 1
expect deliveries J2 = 2
expect effects J2 = 1
expect held no-loss no-duplicate-effect single-holder drains
