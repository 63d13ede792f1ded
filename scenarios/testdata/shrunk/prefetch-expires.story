story prefetch-expires-seed-15-shrunk
queue echomq variant=prefetch-expires
worker w1 consumer=atomic work=20s
jobs 2 every=0s

fault delay complete J2#1 by=10s
