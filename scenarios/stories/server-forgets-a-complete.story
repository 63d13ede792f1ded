# A server restarts without its last write, which was an accepted complete: the
# finished job comes back and runs again.
#
# Why it exists: the ACK arrived, was applied and was answered ok, and the gap
# opens all the same. At-least-once is about what the queue remembers, not about
# what it answered. Only the consumer's own marker would stop the second effect.
story  server-forgets-a-complete
worker w1
job    J1

fault  crash queue time=1s lose=1w restart=1s

expect chaos may-break no-duplicate-effect
expect answer complete J1#2 = ok
expect deliveries J1 = 2
expect effects J1 = 2
expect state J1 = completed
expect broken no-duplicate-effect terminal-absorbing
expect held no-loss stale-token-rejected tokens-rise drains
