story reap-forgets-seed-8-shrunk
queue echomq variant=reap-forgets
worker w1 consumer=atomic
job J1

fault delay complete J1#1 by=45s
