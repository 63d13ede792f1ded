# A job whose lease lapses, which is then handled properly, and whose lease lapses
# again: it is buried, though no two lapses came in a row.
#
# Why it exists: the count of lapses stands beside the count of attempts, and neither
# a retry nor a promotion sets it back. A job of many runs ends in dead because its
# workers were restarted now and then. Written by hand, and with the name of the body
# that was asked, as a report about a queue should be.
story  lapses-are-not-forgiven
queue  echomq backend=go
horizon 2h

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do sweep time=31s max=2
do claim by=w2 time=32s
do retry J1#2 by=w2 time=33s delay=1h
do promote time=1h33s
do claim by=w3 time=1h34s
do sweep time=1h1m4s max=2

expect answer retry J1#2 = scheduled
expect deliveries J1 = 3
expect state J1 = dead
expect held one-place terminal-absorbing settled-once
