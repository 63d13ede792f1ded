# Work of three and a half hours under a visibility timeout of one: a copy every
# hour, all at work at once, until the first ACK stops the copying.
#
# Why it exists: https://github.com/celery/celery/issues/5935, and
# https://github.com/pretix/pretix/issues/2058 from the field. Celery on Redis acks
# by tag, the same one for each copy. Look at the claims: one an hour.
story  copy-every-visibility-timeout
queue  echomq variant=no-fence lease=1h
workers 5 work=3h30m
job    J1
horizon 24h

chaos  off

expect deliveries J1 = 4
expect effects J1 = 4
expect answer complete J1#1 = ok
expect answer complete J1#4 = gone
expect broken no-duplicate-effect stale-token-rejected
expect held no-loss drains
