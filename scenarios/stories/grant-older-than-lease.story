# The answer to a claim is slower than the lease: the worker begins with a job that
# is no longer its own.
#
# Why it exists: a lease runs from the claim on the queue's clock, and a worker that
# counts from the answer believes in time which has passed. The answer came within
# its timeout, so it saw nothing amiss. Count from the moment of asking, and refuse
# to begin when too little is left.
story  grant-older-than-lease
queue  echomq lease=3s
worker w1 timeout=5s work=1s
worker w2 timeout=5s work=1s
job    J1

fault  delay-reply claim J1#1 by=4s

expect chaos may-break no-duplicate-effect
expect answer complete J1#1 = stale
expect deliveries J1 = 2
expect effects J1 = 2
expect broken no-duplicate-effect
expect held single-holder stale-token-rejected no-loss drains saw-expiry
