# The server's clock jumps a minute ahead: every lease is over at once, and a job
# that is being worked on is given away.
#
# Why it exists: EchoMQ reads deadlines from the wall clock, as most queues do,
# and an NTP step or a live migration moves it. The lease of 30s lasted three.
# By the server's own clock nobody did wrong: single-holder is held.
story  clock-jump-expires-leases
worker w1 work=10s
worker w2 work=10s
job    J1

fault  clock queue jump=+60s time=3s

expect chaos may-break no-duplicate-effect
expect refused complete J1#1
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss stale-token-rejected single-holder drains
