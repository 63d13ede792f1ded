# A queue that promises three deliveries and makes four: the bound is off by one where
# a lease lapses.
#
# Why it exists: the mutant of deliveries-bounded, which is judged only where a queue
# declares it. Google Pub/Sub honours max_delivery_attempts "on a best effort basis".
# The sound twin is variant=bounded. EchoMQ as built promises no bound at all: see
# poison-never-dead.
story    bounded-leaks
queue    echomq variant=bounded-leaks max-attempts=3
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop complete rate=20%
chaos    crash w1 w2 rate=10% restart=1s..30s count=0..2
chaos    pause w1 w2 rate=5% for=1s..90s count=0..1
quiet    time=3m

fault    drop complete J1#1
fault    drop complete J1#2
fault    drop complete J1#3

expect   chaos may-break deliveries-bounded
expect   deliveries J1 = 4
expect   broken deliveries-bounded
expect   held no-loss no-duplicate-effect drains
