# A delayed copy of a settlement arrives when the same id is in work anew: the old
# ACK ends the new job before its work is done.
#
# Why it exists: https://jepsen.io/analyses/bufstream-0.1.0: a delayed abort hits a
# later transaction, because the epoch is not bumped for each. EchoMQ bumps its
# token for each claim, and starts over with each incarnation: 1 equals 1.
story  delayed-abort-hits-later
worker w1 work=1s
job    J1

fault  duplicate enqueue J1 after=2s
fault  duplicate complete J1#1 after=1500ms

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect answer complete J1#2 = gone
expect held no-loss drains
expect broken stale-token-rejected settled-once tokens-rise no-duplicate-effect
