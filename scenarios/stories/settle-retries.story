# A worker that repeats its ACK until it is answered: two are lost, the third gets
# through, and the work is done once.
#
# Why it exists: repeating narrows the gap and does not close it. A settlement may be
# sent again without harm, since a second one finds the job gone; EchoMQ's consumer
# sends it once. A lease of thirty seconds and a timeout of five leave room for six.
story  settle-retries
queue  echomq lease=30s
worker w1 timeout=5s settle-retries=2
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  drop complete J1#1
fault  drop complete J1#1 nth=2

expect answer complete J1#1 = ok
expect effects J1 = 1
expect deliveries J1 = 1
expect held no-duplicate-effect no-loss settled-once saw-lost-ack
