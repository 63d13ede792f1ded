# The score worker of EchoMQ's course, and one lost ACK: the guess is written down
# twice and counted twice.
#
# Why it exists: the course says that a guess scored again is the same guess. The code
# mints the id of the guess row anew on each delivery and increments a counter, so
# only the leaderboard, a maximum, takes it well. Look at the steps insert and count.
story  scorer-as-built
queue  echomq lease=10s
worker w1 consumer=scorer
job    J1 payload=200

fault  drop complete J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss
