# drains broke in the world of seed 1. It is run before all random worlds.
# Delete it when it has nothing more to say.
story testaqueuethatneverendsajobisreportedsoo-seed-1-shrunk
queue TestAQueueThatNeverEndsAJobIsReportedSoon
worker w1 consumer=atomic
job J1
