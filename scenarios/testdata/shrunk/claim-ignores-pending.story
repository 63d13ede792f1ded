story claim-ignores-pending-seed-8-shrunk
queue echomq variant=claim-ignores-pending
worker w1 consumer=atomic
job J1

fault delay complete J1#1 by=45s
