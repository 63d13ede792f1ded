# The consumer applies its effect, then dies before it writes the marker: the second
# run finds no marker and does the work again.
#
# Why it exists: swapping the two writes swaps the harm, as in marker-first-loses. The
# gap between effect and ACK has only moved: it lies now between effect and marker.
# As long as these are two writes, one of the two orders is what you get.
story  marker-last-doubles
queue  echomq
worker w1 consumer=marker-last
worker w2 consumer=marker-last
job    J1

fault  crash w1 after=apply J1#1

expect chaos may-break no-duplicate-effect
expect effects J1 = 2
expect deliveries J1 = 2
expect broken no-duplicate-effect
expect held no-loss drains
