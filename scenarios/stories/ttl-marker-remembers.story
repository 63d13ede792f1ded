# A marker that is kept for longer than it takes to redeliver holds.
#
# Why it exists: a marker with a time to live is an atomic consumer for so long. Five
# minutes are enough against a lease of thirty seconds and one lost ACK.
# ttl-marker-forgets is the same run with a shorter memory.
story  ttl-marker-remembers
queue  echomq lease=30s
worker w1 consumer=ttl-marker:5m
worker w2 consumer=ttl-marker:5m
job    J1

fault  drop complete J1#1

expect effects J1 = 1
expect deliveries J1 = 2
expect held no-duplicate-effect no-loss
