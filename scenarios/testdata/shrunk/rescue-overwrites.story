story rescue-overwrites-seed-87-shrunk
queue echomq variant=rescue-overwrites
worker w1 consumer=atomic
job J1

fault delay complete J1#1 by=31.8s
