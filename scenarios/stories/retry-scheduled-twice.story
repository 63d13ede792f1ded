# The answer to a retry is lost, and an outer rescue schedules the job again: it
# is taken from the worker who has it by now, and given to a third.
#
# Why it exists: https://github.com/sidekiq/sidekiq/issues/6770: two copies in the
# retry set, and each failure can double them. Here there is one row: the second
# scheduling takes the job from w2, who works on. As built, with the fence, it
# would be refused: see re-sent-retry.
story  retry-scheduled-twice
queue  echomq variant=no-fence
workers 3 work=10s settle-retries=1
job    J1 fails=1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  drop-reply retry J1#1

expect answer retry J1#1 = scheduled
expect deliveries J1 = 3
expect effects J1 = 2
expect broken settled-once stale-token-rejected single-holder no-duplicate-effect
expect held no-loss drains
