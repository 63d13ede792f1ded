# An ACK that comes after the lease was reaped, but before anybody else claimed the
# job, is accepted.
#
# Why it exists: late is not stale. The token is still the last one given out, so the
# fence lets it pass, and the queue takes the job out of pending. Refusing it would
# only do the work once more. What a lease guards against is a second holder, not a
# slow one.
story  late-settle-accepted
queue  echomq lease=30s
worker w1 work=45s
job    J1

expect chaos may-break no-duplicate-effect
expect answer complete J1#1 = ok
expect effects J1 = 1
expect deliveries J1 = 1
expect state J1 = completed
expect held stale-token-rejected no-duplicate-effect one-place no-loss saw-expiry
