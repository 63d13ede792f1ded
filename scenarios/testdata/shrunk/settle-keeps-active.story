story settle-keeps-active-seed-1-shrunk
horizon 30ms
queue echomq variant=settle-keeps-active
worker w1 consumer=atomic
job J1
