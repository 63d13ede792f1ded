# A worker whose work takes longer than the lease, and nobody who prolongs it: the job is
# done again while it is still being done.
#
# Why it exists: the eighth mutant of no-duplicate-effect, which needs no fault at all.
# https://github.com/celery/celery/issues/5935: a visibility timeout of an hour under
# work of more, and a copy every hour. The sound twin beats every ten seconds.
story    work-outlasts-lease
queue    echomq
producer p retries=0
worker   w1 consumer=naive work=45s heartbeat=off
worker   w2 consumer=naive
jobs     4 every=500ms

chaos    drop claim rate=5%
chaos    drop-reply claim rate=5%
chaos    delay claim rate=5% by=1ms..20s
quiet    time=2m

expect   chaos may-break no-duplicate-effect
expect   broken no-duplicate-effect
expect   held no-loss drains
