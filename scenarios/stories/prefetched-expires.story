# A client fetches three jobs at once and works them off one by one: the leases of
# those in its buffer run out, and others do them as well.
#
# Why it exists: https://github.com/nats-io/nats.go/issues/1929 and
# https://github.com/Bogdanp/dramatiq_sqs/pull/53: the timer starts with the
# delivery, not with the work. 28s a job under a lease of 30s looks safe, for the
# first of them. The fence refuses two of three ACKs.
story  prefetched-expires

chaos  off

do enqueue J1 time=0s
do enqueue J2 time=0s
do enqueue J3 time=0s
do claim by=w1 time=1s
do claim by=w1 time=1s
do claim by=w1 time=1s
do complete J1#1 by=w1 time=29s
do claim by=w2 time=32s
do claim by=w2 time=32s
do complete J2#1 by=w1 time=57s
do complete J2#2 by=w2 time=60s
do complete J3#2 by=w2 time=61s
do complete J3#1 by=w1 time=85s

expect answer complete J1#1 = ok
expect refused complete J2#1
expect answer complete J3#1 = gone
expect state J2 = completed
expect state J3 = completed
expect deliveries J2 = 2
expect deliveries J3 = 2
expect held stale-token-rejected single-holder settled-once
