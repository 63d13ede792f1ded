story naive-seed-2-shrunk
queue echomq
worker w1
job J1

fault delay complete J1#1 by=45s
