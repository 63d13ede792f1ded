story retry-sent-again-seed-19-shrunk
queue echomq
worker w1 consumer=atomic settle-retries=1
job J1 fails=1

fault drop-reply retry J1#1
