# A rescuer that lists the lapsed jobs, and writes them back by id when it comes round
# the next time: completed ones, too.
#
# Why it exists: scan, then apply, by id. https://github.com/riverqueue/river/issues/1302:
# the rescuer overwrites a completed job. A worker who is late settles between the two
# steps and is told ok, and the job runs once more.
story    rescue-overwrites
queue    echomq variant=rescue-overwrites
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    delay complete rate=10% by=25s..35s
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
chaos    crash w1 w2 rate=2% restart=1s..30s count=0..1
quiet    time=2m

fault    delay complete J1#1 by=31500ms

expect   chaos may-break terminal-absorbing
expect   answer complete J1#1 = ok
expect   broken terminal-absorbing
expect   held no-loss no-duplicate-effect drains
