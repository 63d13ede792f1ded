story no-extend-fence-seed-4-shrunk
queue echomq variant=no-extend-fence
worker w1 consumer=atomic work=20s heartbeat=10s
worker w2 consumer=atomic work=20s
job J1

fault pause w1 after=claim J1#1 for=30s
