# An outside service that is called without a key: who is not answered calls again,
# and the card is charged twice.
#
# Why it exists: the fourth mutant of no-duplicate-effect, where no transaction of
# yours reaches. Stripe and others take an idempotency key for this reason; the sound
# twin sends one (consumer=external-key).
story    call-without-key
queue    echomq
producer p retries=0
workers  2 consumer=external
jobs     4 every=500ms

chaos    drop-reply apply rate=5%
chaos    duplicate apply rate=3% by=1ms..10s
chaos    drop complete rate=3%
quiet    time=2m

fault    drop-reply apply J1#1

expect   chaos may-break no-duplicate-effect
expect   broken no-duplicate-effect
expect   held no-loss drains
