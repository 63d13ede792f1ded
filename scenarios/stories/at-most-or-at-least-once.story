# Two workers at one queue, one acknowledges early and one late. Both die after the
# claim of a job, and which promise a job was given depends on who took it.
#
# Why it exists: the queue does not choose between at most once and at least once; the
# consumer does, by where it puts the ACK. It is one option of one worker in a fleet,
# and the job's owner cannot see it. The bounds below are the two promises; neither
# of them is an equation.
story  at-most-or-at-least-once
worker w1 ack=early
worker w2 ack=late
worker w3 ack=late
jobs   2 every=1ms

fault  crash w1 before=apply J1#1
fault  crash w2 after=apply J2#1

expect chaos may-break no-loss no-duplicate-effect
expect effects J1 <= 1
expect state J1 = completed
expect effects J2 >= 1
expect state J2 = completed
expect broken no-loss no-duplicate-effect
expect held settled-once single-holder
