# The only worker does the work and dies before its ACK; an hour later somebody starts
# it again. The marker was kept for five minutes.
#
# Why it exists: the seventh lesson varies how long the marker is kept and how late the
# job comes back. A queue bounds neither.
story  back-late
queue  echomq
worker w1 consumer=ttl-marker:5m
job    J1
horizon 200h

fault  crash w1 after=apply J1#1 restart=1h

expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss drains
