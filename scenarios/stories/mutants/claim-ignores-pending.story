# A claim that is answered empty though a job waits: the worker goes back to sleep.
#
# Why it exists: the mutant of work-conserving. A short poll of SQS asks some of its
# servers only: https://github.com/ex-aws/ex_aws/issues/486. Here every second claim
# that could be served comes back with nothing; with one job it takes a redelivery to
# see it.
story    claim-ignores-pending
queue    echomq variant=claim-ignores-pending
producer p retries=0
workers  2 consumer=atomic
job      J1

chaos    drop complete rate=5%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    drop complete J1#1

expect   chaos may-break work-conserving
expect   broken work-conserving
expect   held no-loss no-duplicate-effect
