# What the guards cost: an ACK that comes after its lease is refused, though nobody
# else has the job, and the work is done once more.
#
# Why it exists: compare late-settle-accepted, the same world as built. A token that is
# good beyond its lease is what forgotten-lapse falls over; who wants the one cannot
# have the other. The price is a second run, which changes nothing where the consumer
# is atomic, and a worker that is always too slow never gets done: give it a heartbeat.
story  hardened-refuses-late
queue  echomq variant=hardened lease=30s
worker w1 consumer=atomic work=20s
job    J1

fault  pause w1 after=claim J1#1 for=25s

expect answer complete J1#1 = stale
expect answer complete J1#2 = ok
expect deliveries J1 = 2
expect effects J1 = 1
expect state J1 = completed
expect held stale-token-rejected no-duplicate-effect one-place no-loss drains
