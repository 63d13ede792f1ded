# The score worker dies between closing the game and paying the winner: the second
# run finds the game closed, and nobody is ever paid.
#
# Why it exists: the marker-first bug inside a consumer that is careful otherwise. The
# mark that lets a prize be paid at most once is set before the payout, so the crash
# between the two makes it not at all. The fixed guess row does not help. The history
# stands below: look for the step pay, which is not there.
story  scorer-never-paid
queue  echomq lease=10s
worker w1 consumer=scorer-fixed
job    J1 payload=600

fault  crash w1 after=close J1#1 restart=1s

expect deliveries J1 = 2
expect state J1 = completed
expect held no-duplicate-effect
----
   0.000000s  p      sent      enqueue J1 call=1 id=JOB09nSpDrNxgm
   0.001000s  queue  applied   enqueue J1 by p -> enqueued call=1
   0.002000s  p      answered  enqueue J1 -> enqueued call=1
   0.002000s  p      admitted  enqueue J1 -> enqueued call=1
   0.002000s  w1     sent      claim call=3
   0.003000s  queue  applied   claim J1#1 by w1 -> ok call=3 token=1 until=10.003s
   0.004000s  w1     answered  claim J1#1 -> ok call=3 token=1 until=10.003s
   0.024000s  store  checked   apply J1#1 by w1 step=read token=1
   0.024000s  store  effect    apply J1#1 by w1 step=insert token=1 effect=1
   0.024000s  store  marked    apply J1#1 by w1 step=board token=1
   0.024000s  store  marked    apply J1#1 by w1 step=publish token=1
   0.024000s  store  marked    apply J1#1 by w1 step=close token=1
   0.024000s  world  crashed   w1 until=1.024s
   1.024000s  world  restarted w1
   1.026000s  w1     sent      claim call=5
   1.027000s  queue  applied   claim by w1 -> empty call=5
   1.028000s  w1     answered  claim -> empty call=5
  11.000000s  queue  applied   reap by pump -> ok moved=1
  11.026000s  w1     sent      claim call=7
  11.027000s  queue  applied   claim J1#2 by w1 -> ok call=7 token=2 until=21.027s
  11.028000s  w1     answered  claim J1#2 -> ok call=7 token=2 until=21.027s
  11.048000s  store  checked   apply J1#2 by w1 step=read token=2
  11.048000s  store  absorbed  apply J1#2 by w1 step=insert token=2 cause=upsert
  11.048000s  store  marked    apply J1#2 by w1 step=board token=2
  11.048000s  store  marked    apply J1#2 by w1 step=publish token=2
  11.048000s  store  marked    apply J1#2 by w1 step=close token=2 found
  11.048000s  w1     sent      complete J1#2 call=8 token=2
  11.049000s  queue  applied   complete J1#2 by w1 -> ok call=8 token=2
  11.050000s  w1     answered  complete J1#2 -> ok call=8 token=2
  11.052000s  w1     sent      claim call=10
  11.053000s  queue  applied   claim by w1 -> empty call=10
  11.054000s  w1     answered  claim -> empty call=10
  11.054000s  world  ended     cause=quiet
