# A job that kills its worker is never dead: five crashes under a cap of three, and
# it is handed out a sixth time.
#
# Why it exists: only a retry looks at the cap, and a worker that is killed sends none.
# The reaper brings the job back and counts nothing. Sidekiq had it as `"Poisonous"
# jobs will retry forever` (sidekiq/sidekiq#4069); SQS counts receipts for this reason.
# EchoMQ as built promises no bound (deliveries-bounded), so nothing is broken here
# but the workers.
story  poison-never-dead
queue  echomq max-attempts=3
worker w1
job    J1

fault  crash w1 after=claim J1#1 restart=5s
fault  crash w1 after=claim J1#2 restart=5s
fault  crash w1 after=claim J1#3 restart=5s
fault  crash w1 after=claim J1#4 restart=5s
fault  crash w1 after=claim J1#5 restart=5s

expect chaos may-break no-duplicate-effect
expect deliveries J1 = 6
expect answer claim J1#6 = ok
expect effects J1 = 1
expect state J1 = completed
expect held no-loss no-duplicate-effect drains
