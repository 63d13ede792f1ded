story ignores-ack-seed-1-shrunk
queue echomq variant=ignores-ack
worker w1 consumer=atomic
job J1
