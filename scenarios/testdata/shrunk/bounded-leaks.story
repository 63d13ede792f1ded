story bounded-leaks-seed-2-shrunk
queue echomq variant=bounded-leaks
worker w1 consumer=atomic
job J1

fault delay complete J1#1 by=45s
fault delay complete J1#2 by=45s
fault delay complete J1#3 by=45s
