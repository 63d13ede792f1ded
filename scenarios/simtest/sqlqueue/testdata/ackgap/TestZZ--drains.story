# drains broke in the world of seed 9. It is run before all random worlds.
# Delete it when it has nothing more to say.
story testzz-seed-9-shrunk
queue TestZZ
worker w1 consumer=atomic
job J1

fault drop enqueue J1

do pause time=0s
