// Package explore visits every state that a bounded world can reach. Random
// seeds find; they never end a question. This does, within the bounds that the
// world states: "no violation with at most 2 faults: all 41,216 states".
//
// A world is a Model: an initial state, the actions that are enabled in a state
// in an order that never changes, and what each leads to. A state is a value that
// the model writes into bytes; two states are one if their bytes are.
//
// # The order of the search
//
// Faults come first. The search visits all states that no fault reaches (layer
// 0), then all that one fault reaches (layer 1), and so on up to the bound; within
// a layer it goes breadth first. No state holds how many faults it took: each is
// visited once, in the layer in which it is first reached, and whatever can follow
// with some faults left can follow with more left. So the first trail to a
// violation has the fewest faults, and of those the fewest steps; and the searches
// for k = 0, 1, 2, ... faults are one search. Holzmann's bounded depth and the
// iterative context bounding of Musuvathi and Qadeer (PLDI 2007) have this shape.
// Depth first, what a layer reaches is the same set in another order, and trails
// have the fewest faults, but any steps.
//
// # What is kept
//
// Per state: its bytes and their length (in the exact mode), the state that it was
// reached from and which of the actions there led to it, its faults and steps: 10 bytes
// besides its own and half a one for where these lie, and 7 to 13 in the table that finds
// it. A trail is walked again from the initial state to tell its actions. What is kept
// grows in pieces and in its place, holds no pointers, and is never copied: the collector
// of garbage has nothing to do. Where the states of many transitions stand in the table is
// read together, so that the processor waits for the memory of many at a time, which is
// what a search would spend most of its time on.
//
// The hash-compact mode (Wolper and Leroy, CAV 1993) keeps 64 bits instead of the bytes
// of a state that was visited: two states whose fingerprints are equal count as one, so
// that a violation could be missed, and Result.OneIn tells how unlikely that is. A
// violation that is found is one in either mode: its trail is replayed.
//
// The bytes that are kept are counted against a limit. A search that would go
// beyond it stops and says so: it is inconclusive then. What a search knows when it is
// stopped so, or by its Progress, can be saved; a search that resumes it comes to the same
// result as one that was not stopped.
//
// # Cores
//
// Several cores expand states at the same time, each with a Fork of the model, and
// one of them enters what they found in the order in which one core would have.
// Results do not depend on the number of cores. The goroutines are all in
// parallel.go.
//
// # Drains
//
// "From every reachable state, once faults stop, the end is reachable, and no fair run
// avoids it" is judged on the graph of the free actions. The states from which they lead
// to no end are stuck. Of the rest without its ends, each strongly connected component
// with a cycle is one in which a run can go round for ever; it is a fair one unless some
// class of actions is enabled all the way and never taken (weak fairness, which is
// justice: Lehmann, Pnueli and Stavi, ICALP 1981). The model says which actions are a
// class, and a Lasso tells what goes on.
//
// A state at the edge of the world is no end and not stuck: nothing is known of what
// would follow. How many there are is told, and from how many states an end is to be had
// beyond them only. In a world with an edge, what goes on for ever has no cycle if every
// round of it counts something up, until the world is cut. There cycles are looked for in
// the graph of shapes, which leave out what counts; and since what counts may matter after
// all, a cycle is one only if the model says that it repeats. What was looked for in vain
// is told as a doubt. Where nothing was cut, states are compared, and there is none.
package explore
