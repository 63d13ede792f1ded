story lifo-seed-2-shrunk
queue echomq variant=lifo
worker w1 consumer=atomic
jobs 2 every=10ms
job J3 at=100ms

fault delay complete J1#1 by=100ms
