package exhaust

import "github.com/ackgap/ackgap/model"

// A worker is hasty whose next step follows at once: the steps of a program and the
// settlement behind them follow each other within one instant, and only a crash or a pause
// of that worker can stand between. A worker that wakes there goes on at once.
//
// Others meet it only by steps at that very instant. An instant goes by turns: what is due
// comes in the order in which it was scheduled, and a step is scheduled by the one before
// it. So who ends his work at the same instant takes his first step before the other takes
// his second, and from then on they take turns.
//
// All else that an instant can bring comes to the same as before it or behind it. Who wakes
// goes before what was due, and so may be a step ahead of who joins him; but an order of
// steps is told by a check alone, which has come before, or comes behind. A program of one
// step has nothing between, and a transaction checks once more. While a settlement is on its
// way, others may speak to the queue; that they do before its worker's last steps makes no
// difference, for those touch nothing but the store.

// hasty returns a worker that takes its next step at once, if one does: of several the one
// whose turn it is. Settlements are behind the steps of that instant, for they take time to
// come to the queue.
func (w *World) hasty(s *State) (first uint8, ok bool) {
	for k := range w.workers {
		if !w.isHasty(s, uint8(k)) {
			continue
		}
		worker := &s.workers[k]
		if !ok || worker.isAhead(&s.workers[first]) {
			first, ok = uint8(k), true
		}
	}
	return first, ok
}

// isAhead reports whether w goes before o, where both are hasty.
func (w *worker) isAhead(o *worker) bool {
	if w.phase != o.phase {
		return w.phase == stepping
	}
	return w.phase == stepping && w.step < o.step
}

func (w *World) isHasty(s *State, k uint8) bool {
	worker := &s.workers[k]
	return worker.holds() && !worker.has(isPaused|isAnew) && !w.takesTime(k, worker)
}

// haste adds what may come next where worker k is hasty: what it does, and what those do
// who are as far in their programs, or who join.
func (o *offers) haste(k uint8) {
	hasty := &o.s.workers[k]
	for i := range o.w.workers {
		other := &o.s.workers[i]
		isTied := hasty.phase == stepping && other.phase == stepping && other.step == hasty.step && o.w.isHasty(o.s, uint8(i))
		switch {
		case i == int(k) || isTied:
			o.worker(uint8(i))
			o.strikes(uint8(i))
		case o.w.joins(o.s, uint8(i), k):
			o.steps(uint8(i))
		}
	}
}

// joins reports whether the work of worker k may be over at the very instant at which worker
// by, who is hasty, has taken the first step for the same job; and whether that matters.
func (w *World) joins(s *State, k, by uint8) bool {
	worker, hasty := &s.workers[k], &s.workers[by]
	isAtWork := worker.phase == stepping && worker.step == 0 && !worker.has(isPaused|isAnew)
	isRace := len(w.workers[k].program) > 1 && (w.workers[k].marks || w.workers[by].marks)
	return isRace && isAtWork && worker.job == hasty.job && hasty.phase == stepping && hasty.step == 1
}

// takesTime reports whether time passes before the next step of worker k, which holds
// a job: its work, which lies before the first step or the failure that is told to
// come; the timeout of a settlement that it will send again; or the way of the grant
// and of an early settlement, within which others may speak for the job.
func (w *World) takesTime(k uint8, worker *worker) bool {
	switch worker.phase {
	case waiting, calling:
		return true
	case settling:
		return worker.sends > 0 || w.isEarly(k, worker) || worker.verb == model.OpRetry && worker.n <= w.jobs[worker.job].fails
	}
	return worker.step == 0
}

// isEarly reports whether worker k is about to settle before its work.
func (w *World) isEarly(k uint8, worker *worker) bool {
	return w.workers[k].early && !worker.has(isSettled)
}
