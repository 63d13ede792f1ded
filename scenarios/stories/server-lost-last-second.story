# A server restarts without its last second of writes: a job that was admitted is
# forgotten, and nobody will ever send it again.
#
# Why it exists: Redis and Valkey as usually run (appendfsync everysec) lose up to
# a second of writes in a crash, though each was answered. The producer holds an
# answer, the queue holds nothing. Look at the restart (moved=1 is one write
# forgotten), and at what follows: nothing at all.
story  server-lost-last-second
worker w1
job    J1 at=9.5s delay=1m

fault  crash queue time=10s lose=1s restart=2s

expect chaos may-break no-duplicate-effect
expect answer enqueue J1 = scheduled
expect state J1 = lost
expect effects J1 = 0
expect broken no-loss drains
