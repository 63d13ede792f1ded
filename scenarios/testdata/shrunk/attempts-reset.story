story attempts-reset-seed-25-shrunk
queue echomq variant=attempts-reset
worker w1 consumer=atomic
job J1

fault error apply J1#1
fault error apply J1#2
fault error apply J1#3
