# An ACK that is on its way for longer than the lease: it arrives while another
# worker holds the job, and is refused.
#
# Why it exists: late is worse than lost, for a late message still speaks. The
# token it carries is the one of the first delivery; the queue has counted on.
story  delayed-complete-stale
worker w1 work=20s
worker w2 work=20s
job    J1

fault  delay complete J1#1 by=20s

expect chaos may-break no-duplicate-effect
expect refused complete J1#1
expect answer complete J1#2 = ok
expect effects J1 = 2
expect broken no-duplicate-effect
expect held no-loss stale-token-rejected settled-once drains
