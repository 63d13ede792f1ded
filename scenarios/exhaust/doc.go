// Package exhaust makes the bounded world of a story a model for sim/explore: the
// same jobs, workers, consumers and queue, with time as an adversary. It answers for
// every schedule what a run answers for one:
//
//	w, err := exhaust.New(story, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds})
//	r, err := w.Explore(explore.Options{Faults: 2})
//
// The report holds either how many states there are, all of which keep every
// property, or the shortest path to a breach, as a story that the timed simulator
// has replayed to the same verdict.
//
// # What is real
//
// The queue is the body that stories run (model.Cloner, model.StateAppender and
// model.Renamer make it a value), asked once for each request in each of its states:
// see queue.go. The programs of the consumers are those of scenarios/actors. The
// worker's life between two steps, the store and the ledger are written anew here,
// in a few bits each, because theirs hold times, call numbers and events, which
// would keep states apart that nothing can tell apart. That they agree is under
// test: every counterexample is replayed by the timed simulator, timed runs are held
// to be paths of this world, and each judgement is compared with model.Judge.
//
// # Time
//
// A queue does nothing with an instant but compare it with now, and compute now+d.
// So a state keeps the order of the deadlines that stand in active, and of the
// run-ats in schedule, as ranks; deadlines that are made by one duration are made in
// the order of time, and where durations of several classes meet in one set, where
// the new one stands is an action. A pump moves one job at a time: a tick that moves
// several does what several ticks do with nothing between them.
// A queue that reads its clock for more than that says so, and is asked with the
// deadlines around now as they are (see clocked).
//
// A lease ends for a reason only. While a worker is at work on the last delivery of
// a job (it has neither crashed nor been paused), its messages take milliseconds and
// the lease does not lapse, unless its work, or its wait for an answer (to a settlement, or of the outside service), is as long as the
// lease and no heartbeat of it comes in time: it has none, or so many in a row were lost or
// late, at the cost of a fault each, that the next one comes too late (see lapse.go). Clocks may jump, which is a fault. Schedules are promoted, late
// letters arrive, paused and crashed workers come back, and nothing more is said of
// when: any order is a path.
//
// The steps of a consumer's program and the settlement behind them follow each other
// at once, as in the simulator: only a crash or a pause of that worker stands between, and
// the steps of another for the same job whose work is over at the very same instant. Those
// take turns, as an instant of the simulator does (see haste.go).
// Time passes for a worker while it is at work, while a settlement that it will send
// again is unanswered, and on the way of an early settlement; and then its heartbeat
// may come, as often as it likes. A heartbeat may also be sent while the settlement of its
// worker or its answer is on its way, so that it comes behind it, in whatever state that has
// left the job: no fault is needed for that. Others may speak before it comes, but for who is
// granted a job meanwhile: what he sends comes later. One that was due while its worker stood still
// comes behind the step that the worker takes on waking, and one may come until the answer
// to a settlement that got lost is given up.
// (All but the first of these were found by the test that follows timed runs.)
//
// # Messages
//
// A message that nothing befalls is sent, applied and answered in one action. That
// loses no behaviour: what others do between sending and arrival, they can do before
// the sending, since the sender does nothing meanwhile but to let its heart beat, and its
// lease does not lapse.
// What befalls a message makes it another action, at the cost of one fault: it is
// lost, its answer is lost, it is doubled, or it is late. Late means: beyond the
// patience of its speaker, who goes on as if it were lost, while it arrives at any
// time. One that arrives while its speaker still waits for it, and has sent nothing since,
// is answered in time: without that, hearts would beat on here that stand still in time. An answer that is late is void, which is what a
// lost one is. To overtake is to be late: on one link messages keep their order. That is
// so where each takes as long as the last; with jitter it is not, and World.Unexplored
// says so wherever a party may have two messages under way at once.
//
// A lost request for a job, and whatever befalls an idle worker, changes nothing but the
// time, and is no action. Nor is a lost heartbeat where no lease can lapse for want of it,
// or what befalls the answer to one, which as built nobody reads.
//
// # Faults
//
// A fault costs one: each loss, delay, copy, crash, pause, refusal of the store, jump
// of the clock, crash of the queue with lost writes, and each word that somebody
// beside the workers says to the queue (Scope.Acts). A pump that is down, a partition
// and a queue that is down for a time are in it as what they do: nothing happens for
// any time, and messages are lost, one fault each. A crashed worker may come back at
// any time, and may never.
//
// # What is left out
//
// Two things make a world open, where they can be: World.Unexplored says so, and what was
// not found is not certified.
//   - Messages of one party that overtake each other, in a network with jitter.
//   - Where nobody may stand still, a lease that lapses sooner because its grant was late.
//
// Others no world has, and a certificate says nothing of them:
//   - a server's clock that steps back, which ends no lease that it has not ended
//     otherwise, but can shorten one, and let one outlast another that was made later;
//   - clocks of workers, and a heartbeat that stands still alone;
//   - what befalls producers besides their messages, and jobs that are sent in another order
//     than that of their instants, which only several producers could do;
//   - acts with other limits, delays and tokens than the queue's own and those of deliveries;
//   - a second crash that forgets writes which the first had kept.
//
// And some are said in the certificate where they matter (World.Provisos): a clock jumps
// forward only; an answer that is late but in time, during which a heart beats on, is in it only
// as one that is lost, and not at all without drop-reply among the kinds; an act says enqueue
// behind the producer alone, under its id, and not under one of its own; and a server that crashes
// and forgets is back at once, so that messages which are lost while it is down count as faults
// of their own.
//
// New refuses producers and workers that give up before an answer can be there, and
// producers that send under fresh ids. A job is claimed at most Scope.Claims
// times: nothing is said of what would follow. Leases are kept in the order of active.
// Once a job has left active, or its lease was forgotten in a crash, the order of its end and
// the others' is lost, so that single-holder may be reported of a lease that had ended.
//
// # Concretely
//
// A path is made concrete by finding the instants of what is free in it, from left to
// right, each a little after what comes before it, or at the very same instant; then timeouts, works, heartbeats, how
// seldom an idle worker asks, how seldom a pump ticks, and last the lease and the delays:
// see concrete.go. A path for which no story is found is abstract only, with the reason if it is known. It is counted, and
// it is a defect: either something is free here that is not so in time, or the search for
// a story gave up too soon.
// Which of several workers gets a job is solved for as far as an idle one can be slow to
// ask, so that worlds in which workers differ leave more paths abstract than others.
//
// A few stories are had only with a lease of a second, which is shorter than the heartbeat
// of their workers: there a lease ends that the path lets end for another reason. Others are
// had only with one of half a minute, where the world's own is shorter than the wait for an answer. The
// verdict and the number of faults are those of the path, the setting is not the world's.
package exhaust
