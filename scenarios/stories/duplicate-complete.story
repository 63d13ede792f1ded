# The network doubles an ACK: the copy finds nothing to settle.
#
# Why it exists: the row is deleted on completion, so the copy is answered gone
# and changes nothing. Compare delayed-abort-hits-later, in which the copy comes
# after the same id has been enqueued anew.
story  duplicate-complete
worker w1
job    J1

fault  duplicate complete J1#1 after=50ms

expect chaos may-break no-duplicate-effect
expect answer complete J1#1 = gone
expect effects J1 = 1
expect state J1 = completed
expect held no-loss settled-once stale-token-rejected terminal-absorbing drains
