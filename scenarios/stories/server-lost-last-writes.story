# A server restarts without its last two writes, a claim and its complete: the
# job runs again, and under a token that was given out before.
#
# Why it exists: a fencing token is only as durable as the counter behind it. A
# replica that takes over two writes late hands out token 1 twice; a store that
# fences by the highest token seen lets both pass. Look at token= of the claims.
story  server-lost-last-writes
worker w1 consumer=fenced
job    J1

fault  crash queue time=1s lose=2w restart=1s

expect chaos may-break no-duplicate-effect
expect deliveries J1 = 2
expect effects J1 = 2
expect state J1 = completed
expect broken tokens-rise no-duplicate-effect terminal-absorbing
expect held no-loss drains
