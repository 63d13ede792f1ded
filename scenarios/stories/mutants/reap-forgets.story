# A reaper that takes a lapsed job out and puts it nowhere: whoever dies takes the job
# along.
#
# Why it exists: the mutant of no-loss inside the queue.
# https://github.com/rq/rq/issues/454: a clean-up that reads its clock twice deletes
# what lapsed in between. Its row is left behind, in no set, so that no-ghost sees it
# too.
story    reap-forgets
queue    echomq variant=reap-forgets
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    drop complete rate=3%
chaos    crash w1 w2 rate=2% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=2% for=1s..90s count=0..1
quiet    time=2m

fault    crash w1 after=claim J1#1 restart=5s

expect   chaos may-break no-loss no-ghost drains
expect   state J1 = ghost
expect   broken no-loss no-ghost drains
expect   held no-duplicate-effect one-place
