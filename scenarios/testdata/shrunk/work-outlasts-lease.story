story work-outlasts-lease-seed-1-shrunk
queue echomq
worker w1 work=45s
worker w2
job J1
