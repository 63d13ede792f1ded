# A queue that settles by id: the late done of an expired run is accepted while
# the second run is under way.
#
# Why it exists: pg-boss (https://github.com/timgit/pg-boss/issues/555), hatchet
# (https://github.com/hatchet-dev/hatchet/issues/1022) and agenda
# (https://github.com/agenda/agenda/issues/589): an expiry does not stop the old
# run, and nothing tells its done from the new one's. The second run ends unheard.
story  done-after-expiry
queue  echomq variant=no-fence
worker w1 work=40s
worker w2 work=20s
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

expect answer complete J1#1 = ok
expect answer complete J1#2 = gone
expect effects J1 = 2
expect broken stale-token-rejected no-duplicate-effect
expect held no-loss single-holder drains
