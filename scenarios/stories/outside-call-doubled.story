# The network doubles one call to an outside service. Without a key the card is charged
# twice in a single delivery, with a key once.
#
# Why it exists: a duplicate needs no redelivery. Queue and worker saw one claim, one
# answer and one ACK for each of the two jobs, and nothing that they could do better
# would help J1. A proxy that sends a POST again on a closed connection does this.
story  outside-call-doubled
worker w1 consumer=external
worker w2 consumer=external-key
jobs   2 every=1ms

fault  duplicate apply J1#1 after=100ms
fault  duplicate apply J2#1 after=100ms

expect chaos may-break no-duplicate-effect
expect deliveries J1 = 1
expect effects J1 = 2
expect deliveries J2 = 1
expect effects J2 = 1
expect broken no-duplicate-effect
expect held no-loss settled-once drains
