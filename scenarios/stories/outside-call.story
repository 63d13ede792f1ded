# The effect is a call to somebody else's service, and the ACK is lost: the card is
# charged twice.
#
# Why it exists: a transaction ends at the edge of your database. Money, mail and
# parcels lie beyond it, and no marker of yours is written together with them.
# outside-call-with-key shows what the other side has to offer.
story  outside-call
queue  echomq
worker w1 consumer=external
worker w2 consumer=external
job    J1

fault  drop complete J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss
