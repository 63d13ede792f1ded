story double-settle-seed-12-shrunk
queue echomq variant=double-settle
worker w1 consumer=atomic settle-retries=1
job J1

fault drop-reply complete J1#1
