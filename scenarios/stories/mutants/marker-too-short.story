# A marker that is forgotten after a minute: a redelivery that takes longer finds
# nothing, and does the work again.
#
# Why it exists: the third mutant of no-duplicate-effect: the marker is right, its
# life is too short. SQS FIFO remembers for five minutes
# (https://github.com/aws-powertools/powertools-lambda-python/issues/2023 asks what
# that is worth for a run of seven). One lost ACK does not break it, two in a row do.
# The sound twin remembers for a day.
story    marker-too-short
queue    echomq
producer p retries=0
workers  2 consumer=ttl-marker:1m
jobs     4 every=500ms

chaos    drop complete rate=20%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=5% for=1s..90s count=0..1
quiet    time=2m

fault    drop complete J1#1
fault    drop complete J1#2

expect   chaos may-break no-duplicate-effect
expect   deliveries J1 = 3
expect   broken no-duplicate-effect
expect   held no-loss drains
