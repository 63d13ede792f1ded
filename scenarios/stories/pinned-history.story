# The shortest life of a job, word for word: what stands below the line is the
# history that this run must leave.
#
# Why it exists: an expectation says what must come of a run, a history says how.
# Here every record is pinned, from the enqueue to the quiet end; a change of the
# simulator that moves one of them shows as the first line that differs. Another
# backend must leave the same words.
story  pinned-history
queue  echomq backend=go
worker w1
job    J1

expect chaos may-break no-duplicate-effect
expect effects J1 = 1
expect held no-loss no-duplicate-effect drains
----
   0.000000s  p      sent      enqueue J1 call=1 id=JOB09nSpDrNxgm
   0.001000s  queue  applied   enqueue J1 by p -> enqueued call=1
   0.002000s  p      answered  enqueue J1 -> enqueued call=1
   0.002000s  p      admitted  enqueue J1 -> enqueued call=1
   0.002000s  w1     sent      claim call=3
   0.003000s  queue  applied   claim J1#1 by w1 -> ok call=3 token=1 until=30.003s
   0.004000s  w1     answered  claim J1#1 -> ok call=3 token=1 until=30.003s
   0.024000s  store  effect    apply J1#1 by w1 step=apply token=1 effect=1
   0.024000s  w1     sent      complete J1#1 call=4 token=1
   0.025000s  queue  applied   complete J1#1 by w1 -> ok call=4 token=1
   0.026000s  w1     answered  complete J1#1 -> ok call=4 token=1
   0.028000s  w1     sent      claim call=6
   0.029000s  queue  applied   claim by w1 -> empty call=6
   0.030000s  w1     answered  claim -> empty call=6
   0.030000s  world  ended     cause=quiet
