# Workers on another continent beat every two seconds under a lease of three, and
# their first beat always comes too late: the job goes round for ever.
#
# Why it exists: the way counts twice before the first beat is heard, once for the
# grant and once for the beat: 600ms + 2s + 600ms is more than 3s, with no fault at
# all. As built the late beat is let in after the reap, so that the job is pending
# and active at once. With a heartbeat of 1s all is well.
story  far-worker-beats-late
queue  echomq lease=3s reap-every=100ms
network latency=600ms
workers 2 prefix=far work=5s heartbeat=2s poll=1s
jobs   1 prefix=order
horizon 2m

chaos  off

expect refused extend order1#1
expect deliveries order1 >= 10
expect effects order1 >= 10
expect broken one-place no-duplicate-effect drains
expect unknown no-loss
