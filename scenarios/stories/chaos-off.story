# A story that wants no chaos: it has no random worlds, and what its own bad network
# loses is drawn from the seed that it names.
#
# Why it exists: a lossy network alone breaks nothing, if the producer sends each job
# once and the consumers keep a marker. Let the producer try again (retries=3) and an
# id is admitted twice: see lossy-network. `chaos off` keeps the crashes and pauses,
# which `check` would draw by default, out of the question.
story  chaos-off
seed   3
network latency=20ms jitter=30ms loss=15% reply-loss=5% until=1m
producer p retries=0
workers 2 consumer=atomic
jobs   6 every=1s

chaos  off

expect held no-loss no-duplicate-effect stale-token-rejected drains saw-redelivery
