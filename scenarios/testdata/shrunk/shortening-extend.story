story shortening-extend-seed-20-shrunk
queue echomq variant=shortening-extend
worker w1 consumer=atomic work=8s heartbeat=10s
job J1

fault drop complete J1#1
