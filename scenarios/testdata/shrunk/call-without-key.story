story call-without-key-seed-11-shrunk
queue echomq
worker w1 consumer=external
job J1

fault drop-reply apply J1#1
