# A worker stands still past its lease and then writes: the store has seen a higher
# token, and refuses.
#
# Why it exists: what a fencing token is for. A fence at the queue protects the
# queue's record (zombie-fenced); to protect the effect, the store itself must look at
# the token. The refusal is an error to the handler, whose retry is refused as well:
# the row is gone, and EchoMQ's retry calls that stale.
story  fenced-store-refuses
queue  echomq
worker w1 consumer=fenced
worker w2 consumer=fenced
job    J1

fault  pause w1 before=apply J1#1 for=45s

expect chaos may-break no-duplicate-effect
expect refused retry J1#1
expect effects J1 = 1
expect deliveries J1 = 2
expect held no-duplicate-effect stale-token-rejected no-loss
