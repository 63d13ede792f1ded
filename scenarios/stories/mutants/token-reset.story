# A reap that starts the count of deliveries again: the second delivery has the token
# of the first.
#
# Why it exists: the mutant of tokens-rise, the property on which every fence stands.
# RabbitMQ's delivery tags restart with the channel. Two holders with one token cannot
# be told apart, so that stale-token-rejected falls with it.
story    token-reset
queue    echomq variant=token-reset
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop complete rate=3%
chaos    crash w1 w2 rate=2% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    drop complete J1#1

expect   chaos may-break tokens-rise stale-token-rejected
expect   broken tokens-rise
expect   held no-loss no-duplicate-effect drains
