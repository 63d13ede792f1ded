# What may go wrong in the random worlds of a story, and which promise may break
# there. A plain run draws none of it.
#
# Why it exists: a story can be run once as written, or many times with what a
# seed draws. The consumer is naive, so that a lost ACK or a crash at the wrong
# moment may double an effect; nothing else may break. From quiet on, all heals.
story  chaos-declared
workers 2 heartbeat=10s
jobs   5 every=1s

chaos  drop complete claim rate=10%
chaos  drop-reply complete rate=10%
chaos  crash w1 w2 rate=50% restart=1s..10s count=0..2
chaos  pause rate=30% for=1s..60s
chaos  stall rate=20% for=10s..60s
chaos  partition rate=20% for=1s..90s
quiet  time=2m

expect chaos may-break no-duplicate-effect stale-token-rejected one-place no-ghost tokens-rise terminal-absorbing
expect effects J5 = 1
expect held no-loss no-duplicate-effect drains
