# The consumer writes its marker, then dies before the effect: the second run finds
# the marker and skips the work.
#
# Why it exists: a marker before the effect is at-most-once. EchoMQ's course calls it
# the general recipe (claim a marker keyed by the job id, then act) and admits the
# crash between the two. Everybody reports success; the ledger says 0.
story  marker-first-loses
queue  echomq
worker w1 consumer=marker-first
worker w2 consumer=marker-first
job    J1

fault  crash w1 after=mark J1#1

expect chaos may-break no-loss no-duplicate-effect
expect effects J1 = 0
expect deliveries J1 = 2
expect state J1 = completed
expect broken no-loss
expect held drains
