story fenced-seed-15-shrunk
queue echomq
worker w1 consumer=fenced
job J1

fault delay complete J1#1 by=45s
