// Package actors holds the parties of a leased job queue as pure steps:
// producer, broker, pump, worker with its consumer, and store.
//
// An actor is a value. Its Step is given the time it sees, what happened to it
// and what it may read of the scene, and says in its effects what it wants done;
// it reads no clock and draws nothing. Names are small integers here: processes
// are model.Proc, jobs model.Job, ids the Ref under which the scene keeps them.
//
// Who writes what into the history is part of the design: the party that would
// be harmed. The producer writes Admitted when it is told so, the broker writes
// Applied with the delivery number that it counts by itself, the store writes
// Effected. A queue that lies has no hand in any of it.
//
// The codemojex scorer (consumers scorer and scorer-fixed) claims from flat
// pending here; as built it claims from a player's lane. Lanes are not modelled
// yet, and none of its steps depends on the lane.
package actors
