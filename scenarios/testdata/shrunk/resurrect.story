story resurrect-seed-11-shrunk
queue echomq variant=resurrect
worker w1 consumer=atomic
job J1

fault error apply J1#1
fault delay retry J1#1 by=45s
