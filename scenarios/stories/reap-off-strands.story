# Nobody reaps: one lost ACK leaves a job in active for ever, long after its work
# was done.
#
# Why it exists: the other answer to a lost ACK, silence. No duplicate, for the
# price of a job that never ends: had the worker died before the work, this
# would be a loss. The queue cannot know which of the two it is.
story  reap-off-strands
queue  echomq reap-every=off
worker w1
job    J1

fault  drop complete J1#1

expect chaos may-break drains
expect effects J1 = 1
expect state J1 = active
expect twin J1#1
expect broken drains
expect held no-loss no-duplicate-effect
