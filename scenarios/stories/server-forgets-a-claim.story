# A server restarts and has forgotten the claim of a job in work: it gives the same
# job out again, under the same token.
#
# Why it exists: the worst that a lost write can do. Two holders at once, both
# with token 1, and the fence lets the first one settle for the second. ackgap
# judges by delivery, never by the value of a token, and so it sees that.
story  server-forgets-a-claim
worker w1 work=10s
worker w2 work=10s
job    J1

fault  crash queue time=1s lose=1w restart=1s

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect answer complete J1#1 = ok
expect answer complete J1#2 = gone
expect broken stale-token-rejected single-holder tokens-rise no-duplicate-effect
expect held no-loss settled-once drains
