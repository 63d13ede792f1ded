# A retry that ignores the cap: a job that fails every time is tried for ever.
#
# Why it exists: the mutant of attempts-bounded.
# https://github.com/Automattic/kue/issues/802: retrying every second, way past the
# max of two; Celery on Redis redelivers without an end. It takes a job that fails
# three times in a row.
story    retry-never-dead
queue    echomq variant=retry-never-dead
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    error apply rate=20%
chaos    drop complete rate=5%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
quiet    time=2m

fault    error apply J1#1
fault    error apply J1#2
fault    error apply J1#3

expect   chaos may-break attempts-bounded
expect   answer retry J1#3 = scheduled
expect   broken attempts-bounded
expect   held no-loss no-duplicate-effect drains
