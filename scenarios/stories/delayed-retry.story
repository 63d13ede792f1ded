# A worker's report of failure is on its way for 45 seconds: the lease has lapsed,
# the job was done by the second delivery, and the report is refused.
#
# Why it exists: retry answers stale where complete would answer gone, because as
# built it does not tell a missing row from a token that is out of date. What
# matters holds: a finished job is not brought back. Compare resurrected.
story  delayed-retry
worker w1
job    J1 fails=1

fault  delay retry J1#1 by=45s

expect chaos may-break no-duplicate-effect
expect answer retry J1#1 = stale
expect effects J1 = 1
expect state J1 = completed
expect held no-loss no-duplicate-effect stale-token-rejected terminal-absorbing drains
