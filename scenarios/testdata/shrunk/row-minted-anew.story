story row-minted-anew-seed-2-shrunk
queue echomq
worker w1 consumer=scorer
job J1

fault delay complete J1#1 by=45s
