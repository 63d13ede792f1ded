story marker-too-short-seed-11-shrunk
queue echomq
worker w1 consumer=ttl-marker:1m
job J1

fault drop complete J1#1
fault delay-reply claim J1#2 by=5s
