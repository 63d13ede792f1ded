# A job that kills every worker who takes it is buried when its lease has lapsed
# twice.
#
# Why it exists: reap never gives a job up, attempts or not; the stalled check
# does, once the lapses reach max-stalled. Here it runs instead of reap. Without
# it a poison job would go round for ever. In the random worlds a failure that is
# reported late finds its job buried, and puts it among the scheduled as well.
story  sweep-dead-letters
queue  echomq reap-every=off sweep-every=1s max-stalled=2
worker w1
job    J1

fault  crash w1 before=apply J1#1 restart=5s
fault  crash w1 before=apply J1#2 restart=5s

chaos  drop complete rate=5%
chaos  error apply rate=20%
chaos  delay retry rate=20% by=1s..60s
chaos  crash w1 rate=3% restart=1s..30s count=0..2
chaos  pause w1 rate=3% for=1s..90s count=0..2
quiet  time=2m

expect chaos may-break one-place no-duplicate-effect no-ghost terminal-absorbing drains
expect deliveries J1 = 2
expect effects J1 = 0
expect state J1 = dead
expect held no-loss terminal-absorbing one-place drains
