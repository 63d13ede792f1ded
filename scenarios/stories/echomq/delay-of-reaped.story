# A worker puts a job off that was reaped meanwhile: it is pending and scheduled at
# once.
#
# Why it exists: both copies are delivered, and the second may be while the first is
# in work: see claim-of-leased.
#
# Root cause: delay takes the job out of active and looks nowhere else.
# Closed by: delays-held
story  delay-of-reaped
queue  echomq reap-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do reap time=31s
do delay J1#1 by=w1 time=32s delay=1h

expect answer delay J1#1 = scheduled
expect state J1 = pending+scheduled
expect broken one-place
