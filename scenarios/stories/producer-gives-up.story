# A producer that is not answered gives up. Of the two jobs that it writes off, one
# never reached the queue and the other was done long ago.
#
# Why it exists: "not answered" is no answer. J1's requests were lost, both of them;
# of J2 only the replies were. The producer has the same two timeouts in its hand
# for each, and whatever it tells its own caller is wrong for one of them.
# no-loss speaks of jobs that were admitted, which takes an answer.
story    producer-gives-up
producer p retries=1 timeout=2s
worker   w1 work=10s
jobs     2 every=1s

fault  drop enqueue J1
fault  drop enqueue J1 nth=2
fault  drop-reply enqueue J2
fault  drop-reply enqueue J2 nth=2

expect chaos may-break no-duplicate-effect
expect answer enqueue J1 = lost-request
expect state J1 = absent
expect answer enqueue J2 = lost-reply
expect state J2 = completed
expect effects J2 = 1
expect held admission-honest no-duplicate-effect drains
