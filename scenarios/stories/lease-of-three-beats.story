# A lease of three beats, and two beats are lost. The third comes two milliseconds
# after the deadline, and most of a second before the reaper.
#
# Why it exists: "a beat every third of the lease, so two may be lost" leaves out the
# way of the messages: it is one. What saves the job is that extend as built asks
# for the token and not for the deadline, and that the reaper looks once a second.
# The answer to that beat is lost as well, and it costs nothing.
story  lease-of-three-beats
queue  echomq lease=30s
worker w1 work=45s heartbeat=10s
worker w2 work=45s heartbeat=10s
job    J1

fault  drop extend J1#1
fault  drop extend J1#1 nth=2
fault  drop-reply extend J1#1

expect answer extend J1#1 = ok
expect deliveries J1 = 1
expect effects J1 = 1
expect held no-loss no-duplicate-effect one-place stale-token-rejected drains
