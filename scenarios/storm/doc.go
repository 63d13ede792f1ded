// Package storm asks what remains of a fault when it is over. Under jobs that keep
// coming, a fault of some length leaves a backlog. Where the workers have capacity to
// spare it drains; where work that is done twice eats what was spare, it stays though
// its cause is gone: a metastable failure (Bronson, Aghayev, Charapko and Zhu,
// "Metastable Failures in Distributed Systems", HotOS 2021).
//
// A world is a story's queue and workers under a load of exponential gaps, with one
// fault (world.go). It runs with the fault and without it, and both runs are reduced to
// how many jobs are open when (tide.go). The rule that compares them stands in judge.go.
//
// In the stories' own worlds nothing feeds on a backlog: how long a delivery takes does
// not depend on how many wait, so that a load below capacity drains after any fault
// and one above it never does. What does feed on it is a client that takes jobs
// before it works on them, whose leases run while they wait for a thread: prefetch.go.
package storm
