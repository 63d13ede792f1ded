# The network doubles the retry that buries a job: the job dies twice, and counts
# as two failures.
#
# Why it exists: retry as built does not ask for the row's state, and its token
# still fits when the job is in dead. EchoMQ's failed counter is one too high
# from then on, and an operator's alarm with it.
story  duplicate-last-retry
queue  echomq max-attempts=1
worker w1
job    J1 fails=1

fault  duplicate retry J1#1 after=500ms

expect chaos may-break no-duplicate-effect
expect answer retry J1#1 = dead
expect state J1 = dead
expect effects J1 = 0
expect broken settled-once terminal-absorbing
expect held no-loss attempts-bounded drains
