# A job that failed is completed by the worker that reported the failure: its row is
# gone, and its id stays in the schedule.
#
# Why it exists: a handler that reports an error and then falls through to its "done"
# says both. The id is promoted later, and a job that is over is handed out with
# nothing in it.
#
# Root cause: complete looks for the job in active and pending, and does not ask
# whether anybody has it in hand.
# Closed by: completes-held
story  complete-of-scheduled
worker w1 consumer=atomic
job    J1 fails=1

chaos  off

do complete J1#1 by=w1 time=500ms

expect answer complete J1#1 = ok
expect broken no-ghost settled-once terminal-absorbing tokens-rise
