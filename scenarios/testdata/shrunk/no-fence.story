story no-fence-seed-9-shrunk
queue echomq variant=no-fence
worker w1 consumer=atomic
job J1

fault delay complete J1#1 by=45s
fault delay complete J1#2 by=20s
