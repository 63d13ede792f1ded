story push-without-id-seed-13-shrunk
queue echomq
producer p fresh-id
worker w1 consumer=atomic
job J1

fault drop-reply enqueue J1
