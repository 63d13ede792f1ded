// Package coverage tells what the random worlds of a campaign have tried: which
// fault struck at which phase of the protocol, in worlds that held every promise
// and in worlds that broke one. A cell of that map which can occur and never did
// is a hole: nobody knows what would have come of it.
//
// Everything is read off the history and the plan of a run that is over, so that
// a run that nobody maps pays nothing, and the same run always has the same map.
//
// # Where a fault strikes
//
// A fault of a message strikes at the phase of that message: enqueue (its answer
// too), claim, claim-reply, apply (a call to an outside service and its answer),
// heartbeat (an extend and its answer), settle (complete and retry), settle-reply.
//
// A crash or a pause before or after a step strikes at that step: check, mark,
// apply, settle; after the step claim it is claim-reply. The calls of a handler and
// the steps of the scorer count as the one of these three that they are to it: what
// reads is a check, what closes or commits is a mark, all else is an apply. A
// transaction that marks and applies is one step, apply.
//
// A window that changes something strikes by what it finds:
//
//   - a stall, once a heartbeat was due in it: at heartbeat;
//   - a partition: at the phase of the first message that it loses;
//   - a crash, a pause or a clock of one party: at the phases of that party at that
//     instant;
//   - a clock of the queue, or a crash of the queue (server-restart, also where it
//     never comes back): at the phases of all parties at that instant.
//
// A worker is at the phase of the request that it waits for (claim or settle, and
// from when the queue has applied it claim-reply or settle-reply), or else of the
// step that it takes next (claim, when it has no job), and besides at heartbeat
// while an extend of it, or the answer, is on its way. A producer is at enqueue as
// long as it was not told of each of its jobs that it is in. The pump is at that of
// reap, promote and sweep at whose tick something will be due first (of several at
// one instant the first in this order), and nowhere when nothing waits for it. Who
// is dead is nowhere.
package coverage
