# A failover loses the last writes of the old primary: an ACK among them runs its
# job twice, an enqueue among them loses its job.
#
# Why it exists: https://github.com/gojek-work/pull/1 tells of a counter that was
# too high for ever after such a failover. The same fault hits acknowledgements
# (J1) and admissions (J2): both were answered by a primary that is gone.
story  failover-loses-writes
worker w1
job    J1
job    J2 at=500ms delay=1m

fault  crash queue time=1s lose=2w restart=1s

expect chaos may-break no-duplicate-effect
expect answer enqueue J2 = scheduled
expect effects J1 = 2
expect state J1 = completed
expect effects J2 = 0
expect state J2 = lost
expect broken no-loss no-duplicate-effect terminal-absorbing drains
