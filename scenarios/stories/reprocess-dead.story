# A job fails three times and is dead; an operator sends it back, and the fourth
# delivery succeeds.
#
# Why it exists: the way out of dead. The attempts are kept, so that the job is
# past its cap and one more failure buries it at once (set fails=4 and see).
# terminal-absorbing allows an operator what it forbids to everybody else.
story  reprocess-dead
worker w1
job    J1 fails=3

chaos  off

do reprocess J1 time=1m

expect answer retry J1#3 = dead
expect answer reprocess J1 = ok
expect deliveries J1 = 4
expect effects J1 = 1
expect state J1 = completed
expect held no-loss attempts-bounded terminal-absorbing drains
