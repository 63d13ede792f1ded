# The ACK is lost and the job runs twice, but the marker and the effect are one
# transaction: the second run changes nothing.
#
# Why it exists: this is who closes the gap. Not the queue, which still has a twin
# and still delivers twice, but the consumer: Helland's inbox ("Life beyond
# Distributed Transactions", 2007), a unique key in the table that holds the effect.
story  lost-ack-atomic
queue  echomq
worker w1 consumer=atomic
worker w2 consumer=atomic
job    J1

fault  drop complete J1#1

expect effects J1 = 1
expect deliveries J1 = 2
expect state J1 = completed
expect twin J1#1
expect held no-loss no-duplicate-effect saw-lost-ack saw-marker-skip
