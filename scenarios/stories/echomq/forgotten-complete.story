# The server forgets an ACK: a job that is over is delivered again.
#
# Why it exists: at least once means that somebody else must know what was done.
#
# Root cause: the settlement was answered before it was kept.
# Closed by: nothing in the queue. A consumer whose second run changes nothing bears
# it
# Still broken: terminal-absorbing
story  forgotten-complete
worker w1 consumer=atomic
job    J1

chaos  off

fault  crash queue time=1s lose=1w restart=1s

expect deliveries J1 = 2
expect effects J1 = 1
expect broken terminal-absorbing
