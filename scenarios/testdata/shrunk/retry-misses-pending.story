story retry-misses-pending-seed-26-shrunk
queue echomq variant=retry-misses-pending
worker w1 consumer=atomic
job J1

fault pause w1 before=apply J1#1 for=45s
fault error apply J1#1
