# Workers that look for a marker, do the work, and write the marker: as written, every
# job is done once.
#
# Why it exists: the tenth lesson looks for what is wrong with them in random worlds,
# where messages are lost and workers die and stand still. The producer sends each job
# once, so that what breaks is the workers' doing.
story    haystack
queue    echomq
producer p retries=0
workers  3 consumer=marker-last
jobs     4 every=500ms

expect   held no-loss no-duplicate-effect drains
expect   effects J4 = 1
