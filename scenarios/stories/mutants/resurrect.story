# A queue that believes a late failure: a job that was completed is scheduled once
# more.
#
# Why it exists: the mutant of terminal-absorbing.
# https://github.com/riverqueue/river/issues/1302 and the error of an old run in Oban:
# a write that looks at no state un-completes what was finished. It takes a failure
# that is told after another delivery has completed the job.
story    resurrect
queue    echomq variant=resurrect
producer p retries=0
workers  2 consumer=atomic
jobs     4 every=500ms

chaos    error apply rate=20%
chaos    delay retry rate=30% by=10s..60s
chaos    drop complete rate=5%
quiet    time=2m

fault    error apply J1#1
fault    delay retry J1#1 by=40s

expect   chaos may-break terminal-absorbing stale-token-rejected
expect   broken terminal-absorbing stale-token-rejected
expect   held no-loss no-duplicate-effect drains
