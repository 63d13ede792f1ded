# A queue that forgets how often a job was tried: each time that it comes back from the
# schedule it starts at none, so that no cap is ever reached.
#
# Why it exists: the mutant of attempts-bounded that only a count of one's own finds.
# https://github.com/kapilt/mongoqueue/issues/11: the counter of attempts is set back by
# the next claim. The row says 1 at every retry, and a judge that believes it sees
# nothing wrong in a thousand of them. The tokens are counted apart and go on rising.
story    attempts-reset
queue    echomq variant=attempts-reset
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
expect   held no-loss no-duplicate-effect tokens-rise drains
