# The score worker with the id of its guess row taken from the job: one lost ACK,
# one guess.
#
# Why it exists: the cure of scorer-as-built, in one line of the consumer. The insert
# becomes an upsert under a key that follows from the job, and the guesses are counted
# by their rows rather than by a counter beside them.
story  scorer-fixed
queue  echomq lease=10s
worker w1 consumer=scorer-fixed
job    J1 payload=200

fault  drop complete J1#1

expect effects J1 = 1
expect deliveries J1 = 2
expect held no-duplicate-effect no-loss
