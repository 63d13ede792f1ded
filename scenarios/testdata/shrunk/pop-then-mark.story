story pop-then-mark-seed-16-shrunk
queue echomq variant=pop-then-mark
worker w1 consumer=atomic
job J1

fault delay-reply claim J1#1 by=5s
