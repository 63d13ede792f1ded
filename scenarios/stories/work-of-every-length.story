# Work of every length: two seconds in the mean, and now and then more than the lease
# of five. Jobs come at random as well. Nothing is lost and nobody crashes.
#
# Why it exists: a lease is a guess about the longest work, and exponential work has
# no longest. e^-2.5, 8 in 100, outlast this lease; a longer lease makes them rarer
# (reports/docs/mathematics.md holds that number against theory) and none makes them
# none. J5 outlasts it twice and is delivered three times, J18 twice; what comes late
# is refused.
story  work-of-every-length
queue  echomq lease=5s
workers 3 consumer=atomic work=exp:2s
jobs   20 every=exp:1s
seed   7

expect deliveries J5 = 3
expect deliveries J18 = 2
expect refused complete J5#1
expect refused complete J5#2
expect refused complete J18#1
expect effects J5 = 1
expect held no-loss no-duplicate-effect stale-token-rejected
