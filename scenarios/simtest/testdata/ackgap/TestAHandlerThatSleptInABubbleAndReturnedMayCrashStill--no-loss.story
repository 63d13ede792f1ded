# no-loss broke in the world of seed 24. It is run before all random worlds.
# Delete it when it has nothing more to say.
story testahandlerthatsleptinabubbleandreturne-seed-24-shrunk
queue echomq
workers 2 consumer=handler:TestAHandlerThatSleptInABubbleAndReturnedMayCrashStill
jobs 2 every=0s

fault crash w1 before=apply J1#1 restart=1ms
fault crash w2 after=sleep J2#1 restart=1ms
