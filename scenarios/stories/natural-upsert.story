# The effect is an upsert keyed by the job: doing it twice is doing it once.
#
# Why it exists: the cheapest cure is to have nothing to cure. No marker, no fence, no
# transaction: the second run writes the row that stands already. Set a value rather
# than add to it, insert under the job's id rather than under a new one.
story  natural-upsert
queue  echomq
worker w1 consumer=natural
worker w2 consumer=natural
job    J1

fault  drop complete J1#1

expect effects J1 = 1
expect deliveries J1 = 2
expect held no-duplicate-effect no-loss
