# A handler that gives the row that it writes a new id each time: whenever an ACK is lost,
# the row is written again.
#
# Why it exists: the seventh mutant of no-duplicate-effect, the score worker of
# EchoMQ's course as it is written there. The course says that a guess scored again is
# the same guess; only the leaderboard, a maximum, takes it well. The sound twin
# derives the id of the row from the job (consumer=scorer-fixed).
story    row-minted-anew
queue    echomq
producer p retries=0
workers  2 consumer=scorer
jobs     4 every=500ms payload=200

chaos    drop complete rate=5%
chaos    crash w1 w2 rate=3% restart=1s..30s count=0..1
chaos    pause w1 w2 rate=3% for=1s..90s count=0..1
quiet    time=2m

fault    drop complete J2#1

expect   chaos may-break no-duplicate-effect
expect   broken no-duplicate-effect
expect   held no-loss drains
