# Two workers look for the marker before either has written it: both do the work,
# and nobody crashes.
#
# Why it exists: check, then act, is a race. w1 looks, stands still past its lease and
# goes on with what it saw; w2 has looked, acted and marked in the meantime. A unique
# key in the same transaction (lost-ack-atomic) leaves no room between the two.
story  marker-last-race
queue  echomq
worker w1 consumer=marker-last
worker w2 consumer=marker-last
job    J1

fault  pause w1 after=check J1#1 for=45s

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect answer complete J1#1 = gone
expect broken no-duplicate-effect
expect held stale-token-rejected no-loss drains
