# An enqueue is answered duplicate, and there is no such job: half a row stands in its
# place, without a payload.
#
# Why it exists: the producer is told that its job is in the queue, and what it sent
# is nowhere.
#
# Root cause: enqueue asks whether there is any field, and not whether there is a
# whole row.
# Closed by: completes-held, at its source
story  duplicate-of-ghost
queue  echomq promote-every=off

chaos  off

do enqueue J1 time=0s
do claim by=w1 time=1s
do retry J1#1 by=w1 time=2s
do complete J1#1 by=w1 time=2500ms
do promote time=3s
do enqueue J1 time=4s

expect answer enqueue J1 = duplicate
expect broken settled-once no-ghost terminal-absorbing admission-honest
