# attempts-bounded broke in the world of seed 24. It is run before all random worlds.
# Delete it when it has nothing more to say.
story testatokenthatisnocountofattemptsisnotta-seed-24-shrunk
queue TestATokenThatIsNoCountOfAttemptsIsNotTakenForOne_2-7f68812e
worker w1 consumer=atomic
job J1 fails=2

fault error apply J1#3
