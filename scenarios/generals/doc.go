// Package generals runs the argument behind ackgap: no protocol over a link that
// loses messages makes two parties act together, and no rule of redelivery makes
// a queue's job run exactly once.
//
// It has three parts, each of which can be checked by hand.
//
//   - Two generals: for any deterministic protocol of up to MaxMessages messages
//     that ever attacks, Build makes the chain of runs in which neighbours look
//     the same to one general, down to a run in which one attacks alone or
//     somebody attacks without an order.
//   - The queue: Census tries every deterministic rule of redelivery over all
//     that a queue can see in a bounded World, and Refute finds, for any one of
//     them, two runs with one view of which the rule fails at least one.
//   - What can be had: in the same world, delivering at least once to a consumer
//     whose marker and effect are one transaction leaves one effect in every run.
//
// The argument is that of Akkoyunlu, Ekanadham and Huber ("Some constraints and
// tradeoffs in the design of network communications", SOSP 1975), told of two
// generals by Gray ("Notes on Data Base Operating Systems", 1978)
// and made one of knowledge by Halpern and Moses ("Knowledge and Common Knowledge
// in a Distributed Environment", JACM 37(3), 1990): a chain of runs, each like
// its neighbour to somebody, carries an act from the first to the last.
package generals
