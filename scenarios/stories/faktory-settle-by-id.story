# A queue that settles by id (Faktory): the failure report of a worker whose
# reservation is over throws its successor's delivery away.
#
# Why it exists: https://github.com/contribsys/faktory/issues/453 and
# https://github.com/jbielick/faktory_worker_node/issues/163. w1 is slow, is never
# told that its reservation is over, and fails the job by its id. Look at J1#3: it
# starts while w2 works on J1#2.
story  faktory-settle-by-id
queue  echomq variant=no-fence
worker w1 work=35s
worker w2 work=25s
job    J1 fails=1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

expect answer retry J1#1 = scheduled
expect deliveries J1 = 3
expect effects J1 = 2
expect broken stale-token-rejected single-holder no-duplicate-effect
expect held no-loss drains
