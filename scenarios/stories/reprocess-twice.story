# An operator sends a dead job back, sees no change and presses the button again:
# the second press finds the job in work, and is told that it is not dead.
#
# Why it exists: a verb that names the state which it leaves can be repeated without
# harm, and its refusal is news. A "move to pending" that did not ask would have put
# the job into two sets. The job was at its cap: one more failure and it is back
# among the dead.
story  reprocess-twice
queue  echomq max-attempts=1
worker w1 work=5s
job    J1 fails=1

chaos  off

do reprocess J1 time=60s
do reprocess J1 time=62s

expect answer retry J1#1 = dead
expect answer reprocess J1 = not-dead
expect deliveries J1 = 2
expect effects J1 = 1
expect held one-place terminal-absorbing no-loss drains
