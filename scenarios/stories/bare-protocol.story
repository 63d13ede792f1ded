# The queue machine by hand, without workers or a network: two speakers, a lapsed
# lease, and a fence that knows them apart.
#
# Why it exists: the shortest account of the protocol. Each line is one request,
# applied at exactly its time. This is the form in which a bug report about the
# queue alone is best written.
story  bare-protocol

chaos  off

do enqueue J1 time=0s
do claim by=anna time=1s
do extend J1#1 by=anna time=20s
do reap time=50s
do claim by=ben time=51s
do complete J1#1 by=anna time=52s
do complete J1#2 by=ben time=53s

expect answer extend J1#1 = ok
expect refused complete J1#1
expect answer complete J1#2 = ok
expect state J1 = completed
expect held stale-token-rejected tokens-rise single-holder one-place no-ghost
