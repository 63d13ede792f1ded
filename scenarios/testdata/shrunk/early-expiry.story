story early-expiry-seed-8-shrunk
queue echomq variant=early-expiry
worker w1 consumer=atomic
job J1

fault delay complete J1#1 by=20s
