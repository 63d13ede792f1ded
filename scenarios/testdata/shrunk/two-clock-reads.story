story two-clock-reads-seed-6-shrunk
queue echomq variant=two-clock-reads
worker w1 consumer=atomic
jobs 2 every=0s
job J3 at=1s

fault drop complete J3#1
