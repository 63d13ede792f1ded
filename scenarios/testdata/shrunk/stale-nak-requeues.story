story stale-nak-requeues-seed-26-shrunk
queue echomq variant=stale-nak-requeues
worker w1 consumer=atomic
job J1

fault error apply J1#1
fault delay retry J1#1 by=45s
fault error apply J1#2
fault delay retry J1#2 by=20s
