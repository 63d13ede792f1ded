# A queue that remembers ids for ever: an id that was completed is refused as a
# duplicate of a job that is no longer there.
#
# Why it exists: the other side of dedup-forgotten: SQS FIFO dedupes beyond the
# deletion. What was meant as new work never runs, and the answer sounds as if it
# were in good hands.
story  phantom-duplicate
queue  echomq variant=phantom-duplicate
worker w1
job    J1

chaos  off

do enqueue J1 time=1m

expect answer enqueue J1 = duplicate
expect effects J1 = 1
expect broken admission-honest
expect held no-loss no-duplicate-effect drains
