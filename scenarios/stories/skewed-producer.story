# A producer whose clock is five seconds ahead mints ids from the future: its job
# is served after jobs that were enqueued later.
#
# Why it exists: EchoMQ serves pending by id, and an id opens with the clock of
# the host that minted it. The order law holds within one host; between two it is
# the order of their clocks. mint-order is held: the queue did what it promised.
story  skewed-producer
producer fast
producer slow
job    J1 by=fast
job    J2 by=slow at=1s

chaos  off

fault  clock fast skew=+5s

do claim by=w1 time=2s
do complete J2#1 by=w1 time=3s
do claim by=w1 time=4s
do complete J1#1 by=w1 time=5s

expect answer complete J2#1 = ok
expect answer complete J1#1 = ok
expect held mint-order no-loss
