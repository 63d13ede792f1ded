# A retry that buries the job and then a complete of the same delivery: the row is
# gone, and the id stays among the dead for ever.
#
# Why it exists: the other half of complete-misses-schedule. Such a dead letter
# can neither be read nor reprocessed: look at the answer to the reprocess.
story  complete-of-dead

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s max=1
do complete J1#1 by=w1 time=3s
do reprocess J1 time=4s

expect answer retry J1#1 = dead
expect answer complete J1#1 = ok
expect answer reprocess J1 = gone
expect state J1 = ghost
expect broken settled-once no-ghost terminal-absorbing
