# A queue that settles by id: the late answer of an old delivery is taken for the new
# one's.
#
# Why it exists: the mutant of stale-token-rejected. asynq, Faktory, Oban and River
# settle by id; see https://github.com/contribsys/faktory/issues/453. The worker who
# wakes up late ends a run that is not its own.
story    no-fence
queue    echomq variant=no-fence
producer p retries=0
workers  2 consumer=atomic work=1s
jobs     4 every=500ms

chaos    delay complete rate=10% by=1s..60s
chaos    pause w1 w2 rate=5% for=1s..90s count=0..1
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
quiet    time=2m

fault    pause w1 after=apply J1#1 for=30500ms

expect   chaos may-break stale-token-rejected
expect   answer complete J1#1 = ok
expect   broken stale-token-rejected
expect   held no-loss no-duplicate-effect drains
