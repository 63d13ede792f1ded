package exhaust

import (
	"fmt"
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// A lease lapses under its worker, which neither crashed nor stood still, where two things
// come together: the worker still has the job when the lease is over, because its work or
// its waits for the answer to a settlement last so long; and no heartbeat came meanwhile,
// because it has none, or it comes too seldom, or so many in a row were lost or late. How
// many that takes is arithmetic on what the story sets. A heartbeat that failed costs a
// fault, and a state counts them, from the grant or the last one that came.
//
// What befalls the answer to a heartbeat makes no difference: as built nobody reads it.

// grip is how long a worker keeps its lease: it can lapse once so many of its settlements
// and calls are unanswered and so many of its heartbeats in a row have failed.
type grip struct {
	sends uint8 // 0: its work is as long as a lease
	beats uint8 // 0: it has none that comes in time
}

// never is a number of settlements or heartbeats that no worker comes to.
const never = ^uint8(0)

// gripsOf returns how long k keeps the lease of a claim, and that of an extend.
func (w *World) gripsOf(k *scenarios.Worker) [2]grip {
	return [2]grip{w.gripOf(k, w.machine.rule.held), w.gripOf(k, w.lease())}
}

// gripOf returns how long k keeps such a lease.
func (w *World) gripOf(k *scenarios.Worker, lease time.Duration) grip {
	g, most := grip{sends: never}, min(int(k.SettleRetries), maxFaults)
	if k.Heartbeat > 0 {
		most++ // it beats until it gives up the last one, too
	}
	if k.Consumer.Calls() && !k.EarlyAck {
		most++ // and waits for the outside service as long
	}
	for s := 0; s <= most; s++ {
		if w.busy(k)+time.Duration(s)*k.Timeout >= lease {
			g.sends = uint8(s)
			break
		}
	}
	if k.Heartbeat <= 0 {
		return g
	}
	// A server reads whole milliseconds, rounded down.
	for slack := 2*w.slowest() + time.Millisecond; time.Duration(g.beats+1)*k.Heartbeat+slack < lease; g.beats++ {
		if g.beats == maxFaults {
			g.beats = never
			break
		}
	}
	return g
}

// canSlip reports whether a lease can lapse under its worker at all.
func (g grip) canSlip() bool { return g.sends != never && g.beats != never }

// grip returns how long a worker keeps the lease that it has now.
func (k *workerSpec) grip(worker *worker) grip {
	if worker.has(isCurtailed) {
		return k.grips[1]
	}
	return k.grips[0]
}

// canSlip reports whether a lease of k can lapse under it.
func (k *workerSpec) canSlip() bool { return k.grips[0].canSlip() || k.grips[1].canSlip() }

// slipped reports whether the lease of worker k may be over while it goes on.
func (w *World) slipped(k uint8, worker *worker) bool {
	g := w.workers[k].grip(worker)
	return w.waits(k, worker) >= g.sends && worker.spent >= g.beats
}

// waits returns how often a worker has waited for an answer, for as long as its patience
// is: to a settlement, or to a call, behind which it retries.
func (w *World) waits(k uint8, worker *worker) uint8 {
	failed := worker.verb == model.OpRetry && worker.n > w.jobs[worker.job].fails
	if worker.phase == calling || failed && w.workers[k].consumer.Calls() {
		return worker.sends + 1
	}
	return worker.sends
}

// isVital reports whether it matters that the next heartbeat of worker k fails.
func (w *World) isVital(s *State, k uint8) bool {
	worker := &s.workers[k]
	g := w.workers[k].grip(worker)
	return g.canSlip() && !worker.isAnswered() && worker.spent < g.beats && worker.n == s.jobs[worker.job].n && w.takesTime(k, worker)
}

// unbeaten takes from who holds a job what a crash of the queue has forgotten: a heartbeat
// among the writes. How many had failed before that one is not known, so that it may have
// been the last in time.
func (w *World) unbeaten(s *State, relet uint8) {
	for i := range w.workers {
		worker := &s.workers[i]
		g := w.workers[i].grip(worker)
		if worker.holds() && relet>>worker.job&1 == 1 && g.canSlip() {
			worker.spent = g.beats
		}
	}
}

// slowest is how long a message takes at most, as model.Facts has it.
func (w *World) slowest() time.Duration { return w.story.Network.Latency + w.story.Network.Jitter }

// busy is how long k has a job in hand: its messages, and its work, which an early
// settlement does not wait for.
func (w *World) busy(k *scenarios.Worker) time.Duration {
	busy := time.Duration(4+2*len(k.Consumer.Program())) * w.slowest()
	if !k.EarlyAck {
		busy += k.Work
	}
	return busy
}

// lease is for how long the queue keeps a lease at least: one that was extended can be
// shorter than one that was not, and either shorter than what it grants.
func (w *World) lease() time.Duration {
	if w.isExtended() {
		return min(w.machine.rule.held, w.machine.rule.heldOn)
	}
	return w.machine.rule.held
}

// isExtended reports whether anybody extends leases.
func (w *World) isExtended() bool {
	return slices.Contains(w.scope.Acts, model.OpExtend) ||
		slices.ContainsFunc(w.workers, func(k workerSpec) bool { return k.beats })
}

// Unexplored says what can happen in this world with so many faults and is not explored,
// or nothing: then a search that finds no breach has shown that there is none.
//
// Two things are not. Messages of one party may overtake each other where the network has
// jitter. And a grant may come late but in time, so that lease and work are over sooner,
// and the heart beats later: that is a worker that stands still behind its grant, where that
// may happen, and no more than one heartbeat that is late, where no more than one is won by it.
func (w *World) Unexplored(faults int) string {
	if faults >= 0 && w.overtakes(faults) {
		return "messages that overtake others of the same sender, as jitter lets them"
	}
	if faults < 1 || !w.scope.has(Delay) || w.scope.has(Pause) {
		return ""
	}
	for i := range w.story.Workers {
		k := &w.story.Workers[i]
		g, sooner := w.gripOf(k, w.lease()), w.gripOf(k, w.lease()-k.Timeout)
		isShort, isSlow := sooner.sends != g.sends, sooner.beats+1 < g.beats
		if sooner.canSlip() && (isShort || isSlow) {
			return fmt.Sprintf("grants of worker %s that come so late that its lease lapses sooner", script.Quote(k.Name))
		}
	}
	return ""
}

// overtakes reports whether two messages of one party can be under way at once in a network
// with jitter, of which the second may come first. Without a fault a heart beats beside its
// worker, who may settle and go on, and a producer sends the next job. With any fault it is
// taken to be so: one that crashes asks anew while its last word is on its way.
func (w *World) overtakes(faults int) bool {
	if w.story.Network.Jitter <= 0 {
		return false
	}
	speaksTwice := func(k workerSpec) bool { return k.beats || k.early }
	sendsTwice := func(j jobSpec) bool { return j.after >= 0 }
	return faults > 0 || slices.ContainsFunc(w.workers, speaksTwice) || slices.ContainsFunc(w.jobs, sendsTwice)
}

// taken returns where in active the job stands that a pump takes first, by the queue's own
// word; -1 where it takes none.
func (q *queueState) taken() int {
	return slices.IndexFunc(q.active, func(j uint8) bool { return q.stands[j].Deadline >= q.lapse })
}

// isEarly reports whether a pump takes a job from active before its lease is over.
func (q *queueState) isEarly() bool {
	return len(q.active) > 0 && q.lapse < q.stands[q.active[0]].Deadline
}
