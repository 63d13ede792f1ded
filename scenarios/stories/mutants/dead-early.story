# A retry that gives up one attempt below the cap: the last chance is never given.
#
# Why it exists: the second mutant of attempts-bounded.
# https://github.com/laravel/horizon/issues/128 and
# https://github.com/hibiken/asynq/issues/1015: what was no failure is counted as one,
# and the budget is short by it. A job that succeeds at its third attempt is dead
# after its second.
story    dead-early
queue    echomq variant=dead-early
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    error apply rate=10%
chaos    drop complete rate=5%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
quiet    time=2m

fault    error apply J1#1
fault    error apply J1#2

expect   chaos may-break attempts-bounded
expect   answer retry J1#2 = dead
expect   state J1 = dead
expect   broken attempts-bounded
expect   held no-loss no-duplicate-effect drains
