# EchoMQ with the guards that it lacks, in worlds in which all goes wrong but lost
# writes: nothing breaks.
#
# Why it exists: explore visits every schedule of small worlds, with time as an order.
# These worlds are larger, and time is time: three workers, late heartbeats, clocks that
# jump, a stalled sweep beside the reap. As built breaks in most of them: leave
# variant=hardened out and see.
story    hardened
queue    echomq variant=hardened reap-every=2s sweep-every=7s max-stalled=2
producer p retries=2
workers  3 consumer=atomic work=12s heartbeat=10s settle-retries=2
jobs     2 fails=1

chaos    drop rate=5%
chaos    drop-reply rate=5%
chaos    delay rate=5% by=1s..90s
chaos    duplicate rate=5%
chaos    crash w1 rate=5% restart=1s..60s count=0..2
chaos    pause rate=5% for=1s..90s
chaos    clock queue rate=50% jump=+1s..+60s count=0..2
quiet    time=5m

fault    delay extend J1#1 by=2100ms

expect   answer extend J1#1 = stale
expect   effects J1 = 1
expect   held one-place no-ghost stale-token-rejected tokens-rise no-loss no-duplicate-effect drains
