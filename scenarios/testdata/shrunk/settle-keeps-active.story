story settle-keeps-active-seed-1-shrunk
horizon 100ms
queue echomq variant=settle-keeps-active
worker w1 consumer=atomic
job J1
