story marker-first-seed-8-shrunk
queue echomq
worker w1 consumer=marker-first
job J1

fault crash w1 before=apply J1#1 restart=1ms
