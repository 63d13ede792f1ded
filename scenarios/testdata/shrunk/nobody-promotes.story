story nobody-promotes-seed-20-shrunk
queue echomq promote-every=off
worker w1 consumer=atomic
job J1

fault error apply J1#1
