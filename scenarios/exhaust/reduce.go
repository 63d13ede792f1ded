package exhaust

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// alone returns a worker whose next actions nothing else can meet, if there is one:
// then they are all that a state offers, and the rest is put off. They are a
// persistent set (Godefroid, "Partial-Order Methods for the Verification of
// Concurrent Systems", LNCS 1032, 1996), for these reasons.
//
// The worker is at work on the last delivery of a job that stands in active and
// nowhere else. No other worker holds the job, and no letter speaks of it. So nobody
// can say anything new of the job or touch what the store keeps of it before this worker
// has made a step: a lease lapses and a marker is forgotten only while nobody is at work,
// and a claim serves what is pending. Two may still speak of the job, and need not be
// waited for, for each could have spoken before: a producer that has yet to hear of the
// job sends it again before this claim as well as behind it, and a pump that takes a job
// back whose lease is over does so while its worker stood still as well as when it has
// woken. The search goes these ways too.
//
// What the worker can do (the step, with each of its fates; a crash; a pause) touches
// that job and that worker alone, and commutes with whatever others do to other jobs.
// Two things of it would not, and such workers are not alone: a retry joins the
// schedule, and a heartbeat the end of active, where the order is that of coming. Since
// a settlement follows the last step at once, a worker whose next steps can fail is
// about to retry. (That this counts was found by the test of the reductions, in a queue
// whose tokens tell in which order all jobs were claimed.)
//
// Whoever goes first cannot use up faults that the other needs, for the search
// counts them along a path and no state holds them. Where the clock may jump, the
// queue forget or an operator speak, somebody can meet the worker, and nobody is
// alone.
//
// Nothing is put off for ever: a worker that is alone is at its settlement after as
// many steps as its program has, and the settlement ends it.
//
// Trails keep their number of faults. They may hold steps of others that have
// nothing to do with what was found: a shortest one is had without this reduction.
func (w *World) alone(s *State, q *queueState) (uint8, bool) {
	if w.scope.has(Jump|LoseWrites) || len(w.scope.Acts) > 0 {
		return 0, false
	}
	for k := range w.workers {
		if w.isAlone(s, q, uint8(k)) {
			return uint8(k), true
		}
	}
	return 0, false
}

func (w *World) isAlone(s *State, q *queueState, k uint8) bool {
	worker, spec := &s.workers[k], &w.workers[k]
	if !worker.holds() || worker.has(isPaused|isSettled|isAnew) || spec.beats || spec.canSlip() || w.mayRetry(worker, spec) {
		return false
	}
	j := &s.jobs[worker.job]
	if worker.n != j.n || q.stands[worker.job].Sets != model.InActive {
		return false
	}
	for o := range w.workers {
		if other := &s.workers[o]; o != int(k) && other.holds() && other.job == worker.job {
			return false
		}
	}
	for _, l := range s.letters() {
		if l.job == worker.job && l.op != model.OpClaim {
			return false
		}
	}
	return true
}

// mayRetry reports whether the next settlement of a worker can be a retry.
func (w *World) mayRetry(worker *worker, spec *workerSpec) bool {
	if worker.phase == settling {
		return worker.verb != model.OpComplete
	}
	return w.scope.has(Refuse) || spec.consumer.Calls() || spec.consumer == actors.Fenced
}
