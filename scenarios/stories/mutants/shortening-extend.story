# An extend that can shorten: the heartbeat takes away from the lease that it should
# prolong.
#
# Why it exists: the mutant of deadline-monotone. pgmq's set_vt writes now + vt
# without a look at the old deadline, and the review of
# https://github.com/cbtw-apac/qdrant-loader/pull/326 found one more that did. Work
# that is over before the first beat never shows it; a settlement that is waited for
# does.
story    shortening-extend
queue    echomq variant=shortening-extend
producer p retries=0
workers  2 consumer=atomic work=8s heartbeat=10s
jobs     4 every=500ms

chaos    drop complete rate=3%
chaos    delay complete rate=3% by=1s..60s
chaos    drop extend rate=50%
quiet    time=2m

fault    drop complete J1#1

expect   chaos may-break deadline-monotone
expect   broken deadline-monotone
expect   held no-loss no-duplicate-effect drains
