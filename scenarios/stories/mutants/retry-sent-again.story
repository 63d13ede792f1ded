# A worker that sends again what was not answered, to a queue that takes it again: one
# failure is settled twice.
#
# Why it exists: the second mutant of settled-once. As built a token stays good when it
# has been used, until the next claim. https://github.com/sidekiq/sidekiq/issues/6770
# has the job in the set of retries twice for it; here there is one row, which is moved
# again. The sound twin sends a settlement once.
story    retry-sent-again
queue    echomq
producer p retries=0
workers  2 consumer=atomic settle-retries=1 timeout=500ms
jobs     3 every=500ms fails=1

chaos    drop-reply retry rate=5%
chaos    delay-reply retry rate=5% by=500ms..10s
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
quiet    time=2m

fault    drop-reply retry J1#1

expect   chaos may-break settled-once
expect   broken settled-once
expect   held no-loss no-duplicate-effect drains
