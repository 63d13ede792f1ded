# A lease of three beats, and two in a row are lost. The next one comes in the very
# millisecond in which the lease is over, just before the reaper.
#
# Why it exists: "a beat every third of the lease, so two may be lost" leaves no time
# at all: it is one. What saves the job is that extend as built asks for the token
# and not for the deadline, and that the reaper looks once a second. Of the first
# beat only the answer was lost, and that costs nothing.
story  lease-of-three-beats
queue  echomq lease=30s
worker w1 work=55s heartbeat=10s
worker w2 work=55s heartbeat=10s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  drop-reply extend J1#1
fault  drop extend J1#1 nth=2
fault  drop extend J1#1 nth=3

expect answer extend J1#1 = ok
expect deliveries J1 = 1
expect effects J1 = 1
expect held no-loss no-duplicate-effect one-place stale-token-rejected drains
