# The answer to a retry is lost and the worker sends it again: the job, due since
# long, is pushed back into the schedule.
#
# Why it exists: a client that re-sends what was not answered assumes a request
# that may be applied twice. This one may not: the job was pending when the copy
# came. With a second worker at hand it would have been claimed, and the copy
# refused.
story  re-sent-retry
worker w1 settle-retries=1
job    J1 fails=1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  drop-reply retry J1#1

expect answer retry J1#1 = scheduled
expect effects J1 = 1
expect deliveries J1 = 2
expect broken settled-once
expect held no-loss no-duplicate-effect one-place drains
