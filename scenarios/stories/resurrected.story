# A queue that takes the error of an old run at its word (Oban): a completed job
# is retryable again, and runs once more.
#
# Why it exists: the class is known from the source of Oban: w1 stands still and
# is rescued, w2 completes the job, w1 wakes up, fails, and its error un-completes
# what was finished. Compare delayed-retry, the same in the queue as built.
story  resurrected
queue  echomq variant=resurrect
worker w1
worker w2
job    J1 fails=1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  pause w1 time=10ms for=45s

expect answer retry J1#1 = scheduled
expect effects J1 = 2
expect held no-loss drains
expect broken stale-token-rejected terminal-absorbing no-duplicate-effect
