# A dead letter is completed by the worker that gave it up: its row is gone, and its
# id stays among the dead for ever.
#
# Why it exists: what lists the dead shows an id that can be neither read nor
# reprocessed nor removed.
#
# Root cause: complete does not look into dead, and does not ask whether anybody has
# the job in hand.
# Closed by: completes-held
story  complete-of-dead
queue  echomq max-attempts=1
worker w1 consumer=atomic
job    J1 fails=1

chaos  off

do complete J1#1 by=w1 time=500ms

expect answer complete J1#1 = ok
expect state J1 = ghost
expect broken no-ghost settled-once terminal-absorbing drains
