story late-heartbeat-seed-55-shrunk
queue echomq
worker w1 consumer=atomic work=20s heartbeat=10s
job J1 fails=1

fault delay extend J1#1 by=1ms nth=2
