story dead-early-seed-25-shrunk
queue echomq variant=dead-early
worker w1 consumer=atomic
job J1

fault error apply J1#1
fault error apply J1#2
