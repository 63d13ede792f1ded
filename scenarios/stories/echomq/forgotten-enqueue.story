# The server forgets a job that it had accepted: nobody knows of it any more.
#
# Why it exists: no-loss cannot be had from a queue that forgets. The producer was
# told "enqueued" and has no reason to ask again; what would know of the job is gone.
#
# Root cause: the admission was answered before it was kept.
# Closed by: nothing in the queue. A quorum of replicas or an fsync before the answer,
# or a producer that keeps its jobs until they are done
# Still broken: no-loss
story  forgotten-enqueue
chaos  off

fault  crash queue time=1s lose=1w restart=1s

do enqueue J1 time=500ms

expect state J1 = lost
expect broken no-loss
