# Nobody promotes: a job that failed once waits in the schedule for ever.
#
# Why it exists: a leased queue lives by its pumps. BatchConsumer as built runs
# none, and is meant to stand beside a process that does. No worker errs here and
# nothing is lost; the verdict of drains names what is missing.
story  promote-off-strands
queue  echomq promote-every=off
worker w1
job    J1 fails=1

expect chaos may-break no-duplicate-effect drains
expect state J1 = scheduled
expect effects J1 = 0
expect broken drains
expect held no-loss attempts-bounded
