# single-holder broke in the world of seed 69. It is run before all random worlds.
# Delete it when it has nothing more to say.
story testaqueueisnotjudgedbywhatitdoesnotclai-seed-69-shrunk
queue TestAQueueIsNotJudgedByWhatItDoesNotClaim
worker w1 consumer=atomic
job J1 fails=1

fault delay retry J1#1 by=45s
fault drop-reply claim J1#2
