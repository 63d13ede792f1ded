# Acknowledge first and work afterwards: a crash in between loses the job.
#
# Why it exists: the other side of the bargain. Celery acknowledges early unless
# acks_late is set, RabbitMQ does with automatic acknowledgement, and plain Sidekiq
# pops the job before it runs it. Nothing is ever done twice. The queue says
# completed, and the work never ran.
story  early-ack-loses
queue  echomq
worker w1 ack=early
job    J1

chaos  off # outside of the envelope, where known oddities meet in ever rarer ways

fault  crash w1 before=apply J1#1

expect effects J1 = 0
expect deliveries J1 = 1
expect state J1 = completed
expect broken no-loss
