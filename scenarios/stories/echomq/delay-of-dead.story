# A dead letter is put off by the worker that gave it up: it is dead and scheduled at
# once.
#
# Why it exists: the other verb that brings back the dead: see retry-of-dead.
#
# Root cause: delay leaves active only, and does not ask whether the job is dead.
# Closed by: delays-held
story  delay-of-dead
chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s max=1
do delay J1#1 by=w1 time=3s delay=1h

expect answer delay J1#1 = scheduled
expect state J1 = scheduled+dead
expect broken one-place settled-once terminal-absorbing
