# A claim that serves the youngest job: whenever a backlog builds up, the oldest waits
# longest.
#
# Why it exists: the mutant of mint-order.
# https://github.com/digitalocean/go-workers2/pull/5: a list pushed and popped at one
# end is a stack. With workers that keep up nobody can tell; it takes a backlog.
story    lifo
queue    echomq variant=lifo
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop claim rate=5%
chaos    crash w1 w2 rate=5% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=5% for=1s..90s count=0..1
quiet    time=2m

fault    pause w1 time=10ms for=3s
fault    pause w2 time=10ms for=3s

expect   chaos may-break mint-order
expect   broken mint-order
expect   held no-loss no-duplicate-effect drains
