story token-reset-seed-8-shrunk
queue echomq variant=token-reset
worker w1 consumer=atomic
job J1

fault delay complete J1#1 by=45s
