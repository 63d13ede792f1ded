# The reference envelope: everything goes wrong that EchoMQ as built can bear, and
# every promise holds.
#
# Why it exists: it says what is claimed. In its random worlds messages of claim,
# complete and retry are lost, late or doubled, workers crash and stand still at
# any step, links are cut, the store refuses, the server's clock jumps forward and
# the server restarts without losing a write; the consumer is atomic, nobody
# re-sends, nobody beats. What it leaves out has a story each that shows what it
# breaks: re-sent or doubled enqueues and retries, heartbeats, clocks that step
# back, lost writes, operators, work beyond the lease. Its chaos stands for every
# story that has no chaos lines of its own.
story    reference
queue    echomq lease=30s max-attempts=3 retry-delay=1s
producer p retries=0
workers  3 consumer=atomic
jobs     4 every=500ms

chaos    drop claim complete retry rate=10%
chaos    drop-reply claim complete retry rate=10%
chaos    delay claim complete retry rate=5% by=1ms..60s
chaos    delay-reply claim complete retry rate=5% by=1ms..60s
chaos    duplicate claim complete rate=5% by=1ms..60s
chaos    drop enqueue rate=5%
chaos    drop-reply enqueue rate=5%
chaos    crash w1 w2 w3 rate=3% restart=1s..60s count=0..2
chaos    pause w1 w2 w3 rate=3% for=1s..90s count=0..2
chaos    partition w1 w2 w3 rate=30% for=1s..90s count=0..2
chaos    error apply rate=5%
chaos    clock queue rate=50% jump=+1s..+60s count=0..2
chaos    crash queue rate=50% restart=1s..60s count=0..2
quiet    time=2m

expect   held no-loss no-duplicate-effect one-place no-ghost drains
expect   effects J4 = 1
