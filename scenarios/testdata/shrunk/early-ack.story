story early-ack-seed-8-shrunk
queue echomq
worker w1 consumer=atomic ack=early
job J1

fault crash w1 before=apply J1#1 restart=1ms
