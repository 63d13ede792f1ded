# A queue without a reaper: a job whose worker died is in active for ever.
#
# Why it exists: the mutant of drains. https://github.com/Automattic/kue/issues/1160:
# forever active jobs after the process was halted. Nothing is lost and nothing is
# done twice; it just never ends. The sound twin reaps every second.
story    nobody-reaps
queue    echomq reap-every=off
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop complete rate=3%
chaos    crash w1 w2 rate=2% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    crash w1 after=claim J1#1 restart=5s

expect   chaos may-break drains
expect   state J1 = active
expect   broken drains
expect   held no-loss no-duplicate-effect
