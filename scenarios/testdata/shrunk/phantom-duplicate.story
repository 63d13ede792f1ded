story phantom-duplicate-seed-12-shrunk
queue echomq variant=phantom-duplicate
worker w1 consumer=atomic
job J1

fault duplicate enqueue J1 after=100ms
