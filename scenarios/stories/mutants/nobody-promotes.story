# A queue without a promoter: a job that failed once waits in the schedule for ever.
#
# Why it exists: the second mutant of drains.
# https://github.com/Automattic/kue/issues/515: delayed jobs never start, because
# nobody calls promote(). Jobs that succeed at once never show it. The sound twin
# promotes every second.
story    nobody-promotes
queue    echomq promote-every=off
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    error apply rate=3%
chaos    drop complete rate=5%
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    error apply J1#1

expect   chaos may-break drains
expect   state J1 = scheduled
expect   broken drains
expect   held no-loss no-duplicate-effect
