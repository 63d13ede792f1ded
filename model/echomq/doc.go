// Package echomq is the EchoMQ queue as built, as one pure state machine: the
// flat queue (no lanes, no flows) of a job queue whose transitions are Lua
// scripts on Valkey. Queue.Apply does to its state what the script of the same
// verb does to the keyspace, in the same order and by the same clock, and
// leaves the same keyspace behind.
//
// As built is meant. Where a transition looks wrong it is modelled as it is,
// and a test in oddities_test.go tells what it costs:
//
//   - A claim asks for no row. An id in pending without one gets a row that
//     holds attempts and state only (Grant.Bare).
//   - A claim does not look at the pause flag; its host does, by read-pause.
//   - Complete looks into active and pending, never into schedule or dead. The
//     row goes, the member stays, and a later promote makes half a row of it.
//   - The token lives until the next claim. A second settlement of the same
//     delivery finds it unchanged and is accepted, if the row still stands.
//   - Retry calls a missing row stale; complete, delay and extend say gone.
//   - Extend does not ask whether the id is in active: it puts it there.
//   - Reap never gives up on a job, however often its worker died.
//
// The row field and the marker that make remove answer locked are written by a
// separate process (the Locks plane), which is not modelled: here remove never
// answers locked.
//
// Variants are the same machine with one rule broken, each as some real queue
// breaks it: see variants.go. The variant hardened mends what is odd: see
// hardened.go.
//
// The files follow a job's life: admit, claim, settle, recover, operate.
// Lanes and flows will hang on three places only: admit (which set a new row
// joins), requeue (which set a recovered one joins) and unseat (what else a
// settled one leaves).
package echomq
