# The call carries a key that the service dedupes by: its answer is lost, then the
# ACK is lost, and the card is charged once.
#
# Why it exists: Stripe's Idempotency-Key. The key must follow from the job, not from
# the attempt, and the service must keep it for longer than the queue redelivers (see
# ttl-marker-forgets). Three runs, one charge.
story  outside-call-with-key
queue  echomq
worker w1 consumer=external-key
worker w2 consumer=external-key
job    J1

fault  drop-reply apply J1#1
fault  drop complete J1#2

expect effects J1 = 1
expect deliveries J1 = 3
expect state J1 = completed
expect held no-duplicate-effect no-loss
