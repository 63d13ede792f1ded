story nobody-reaps-seed-8-shrunk
queue echomq reap-every=off
worker w1 consumer=atomic
job J1

fault crash w1 before=apply J1#1 restart=1ms
