# An ACK is applied and its answer is late: the worker sends the ACK again and is told
# that the job is gone.
#
# Why it exists: gone to a second ACK may mean "you have done it" or "somebody else
# has", and the row that could tell is deleted. The ok comes nine seconds too late,
# after its timeout, and is void; the worker is left with gone, and must not
# take that for a failure.
story  late-answer-re-sent
worker w1 timeout=5s settle-retries=1
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  delay-reply complete J1#1 by=9s

expect answer complete J1#1 = gone
expect deliveries J1 = 1
expect effects J1 = 1
expect state J1 = completed
expect held no-loss no-duplicate-effect settled-once drains
