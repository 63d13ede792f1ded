story stale-ack-frees-seed-9-shrunk
queue echomq variant=stale-ack-frees
worker w1 consumer=atomic work=1s
worker w2 consumer=atomic
job J1

fault delay complete J1#1 by=30s
