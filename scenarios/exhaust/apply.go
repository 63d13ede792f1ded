package exhaust

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/sim/explore"
)

// step is one action while it is carried out: the state that it changes, and what
// is to be reported of it.
type step struct {
	w     *World
	s     *State
	hits  []explore.Hit
	verb  model.Op // what hits are grouped by
	about uint8    // the job that the request names
	q     *queueState
	e     edge
	said  said
}

// Apply carries out a in s.
func (w *World) Apply(s *State, a explore.Action, hits []explore.Hit) []explore.Hit {
	hits = w.carryOut(s, decode(a), hits)
	if w.scope.Symmetry {
		w.normalise(s)
	}
	return hits
}

// carryOut is Apply without a look at which states are alike.
func (w *World) carryOut(s *State, d deed, hits []explore.Hit) []explore.Hit {
	st := step{w: w, s: s, hits: hits, verb: d.op}
	before := w.doomed(s)
	switch d.what {
	case doEnqueue:
		st.enqueue(d)
	case doClaim:
		st.claim(d)
	case doStep:
		st.consume(d)
	case doSettle:
		st.settle(d)
	case doBeat:
		st.beat(d)
	case doReap, doSweep, doPromote:
		st.tick(d)
	case doArrive:
		st.arrive(d)
	case doAct:
		st.act(d)
	case doLose:
		st.lose(d)
	default:
		st.pass(d)
	}
	st.doom(before)
	return st.hits
}

// pass carries out what passes no message: the ends of leases and markers, and
// what befalls a worker.
func (st *step) pass(d deed) {
	s := st.s
	k := &s.workers[d.who]
	switch d.what {
	case doLapse:
		st.lapse()
	case doJump:
		for range d.n {
			st.lapse()
		}
	case doEnd:
		s.jobs[d.job].flags = s.jobs[d.job].flags&^(isBeyond|isBehind) | isOver
		st.w.trace.end(d.job)
	case doForget:
		s.jobs[d.job].flags &^= isMarked
	case doWake:
		k.flags &^= isPaused
		if st.w.workers[d.who].beats && !k.has(isSettled) && (k.phase == settling && k.sends == 0 || k.step > 0) {
			k.flags |= isOverdue
		}
	case doGiveUp:
		switch {
		case k.phase == calling:
			st.fail(d.who)
		case k.isAnswered():
			st.settled(d.who)
			st.trailed()
		default:
			*k = worker{}
		}
	case doRestart:
		*k = worker{}
	case doCrash:
		*k = worker{phase: down}
	case doPause:
		k.flags |= isPaused
	}
}

// lapse ends the first lease that is not over.
func (st *step) lapse() {
	j := st.w.queue(st.s).active[st.s.due]
	st.s.due++
	if !st.s.jobs[j].has(isBeyond) {
		st.s.jobs[j].flags |= isOver
	}
	st.w.trace.lapse(j)
}

// enqueue sends a job.
func (st *step) enqueue(d deed) {
	j := &st.s.jobs[d.job]
	j.sends++
	answered := d.how == fine || d.how == doubled
	if answered || j.sends > st.w.jobs[d.job].retries {
		j.flags |= isSent
	}
	l := letter{op: d.op, job: d.job}
	if d.how == late || d.how == doubled {
		st.s.post(l)
	}
	if d.how == dropped || d.how == late {
		return
	}
	st.request(l, d.place, said{})
	if answered && admits(st.e.answer) {
		st.admitted(d.job)
	}
}

// admits reports whether who is answered a may take it that the job is in.
func admits(a model.Answer) bool {
	return a == model.Enqueued || a == model.Scheduled || a == model.Duplicate
}

// claim serves a claim of a worker, who takes the grant.
func (st *step) claim(d deed) {
	l := letter{op: model.OpClaim, who: d.who}
	if d.how == late || d.how == doubled {
		st.s.post(l)
	}
	if d.how == late {
		return
	}
	st.request(l, d.place, said{})
	if d.how == answerDropped || st.e.answer != model.OK {
		return
	}
	j := st.e.job
	st.s.workers[d.who] = worker{phase: stepping, job: j, n: st.s.jobs[j].n, token: st.e.token, verb: model.OpComplete}
	if st.w.trails(st.s) {
		st.s.workers[d.who].flags |= isAnew
	}
	if st.w.workers[d.who].early {
		st.s.workers[d.who].phase = settling
		return
	}
	st.work(d.who)
}

// work is what follows the grant, or the early settlement: a handler that is told
// to fail fails after its work.
func (st *step) work(who uint8) {
	k, spec := &st.s.workers[who], &st.w.workers[who]
	k.phase, k.step = stepping, 0
	switch {
	case k.n <= st.w.jobs[k.job].fails:
		st.fail(who)
	case spec.consumer == actors.Scorer || spec.consumer == actors.ScorerFixed:
		if st.w.jobs[k.job].unknown {
			st.worked(who)
		}
	}
}

// fail lets the handler return an error: the delivery is retried, unless it was
// settled before the work.
func (st *step) fail(who uint8) {
	st.s.workers[who].verb = model.OpRetry
	st.worked(who)
}

// worked goes on to the settlement, or to the next job if that is behind it.
func (st *step) worked(who uint8) {
	k := &st.s.workers[who]
	if k.has(isSettled) {
		*k = worker{}
		return
	}
	k.phase, k.step = settling, 0
	k.flags &^= isOverdue
}

// settle sends the settlement of a worker.
func (st *step) settle(d deed) {
	k, spec := &st.s.workers[d.who], &st.w.workers[d.who]
	l := letter{op: k.verb, who: d.who, job: k.job, n: k.n, token: k.token}
	k.sends++
	k.flags &^= isOverdue
	if d.how == late || d.how == doubled {
		st.s.post(l)
	}
	if d.how != dropped && d.how != late {
		st.request(l, d.place, said{})
	}
	if d.n == beatBehind {
		l.op = model.OpExtend
		st.request(l, uint8(len(st.w.queue(st.s).active)), said{})
	}
	switch {
	case d.n == beatsUnderWay:
		k.phase, k.sends = waiting, 0
		st.postponed(l)
	case d.how == fine || d.how == doubled:
		st.settled(d.who)
	case k.sends > spec.retries && spec.beats:
		k.phase = waiting
	case k.sends > spec.retries:
		*k = worker{}
	}
}

// settled is what follows the answer to a settlement, whatever it is.
func (st *step) settled(who uint8) {
	k := &st.s.workers[who]
	if st.w.workers[who].early && !k.has(isSettled) {
		k.flags |= isSettled
		k.sends = 0
		st.work(who)
		return
	}
	*k = worker{}
}

// trailed lets go on who waited for the heartbeats behind an answered settlement, if these
// were the last.
func (st *step) trailed() {
	if st.w.trails(st.s) {
		return
	}
	for i := range st.s.workers {
		st.s.workers[i].flags &^= isAnew
	}
}

// beat extends the lease of what a worker holds.
func (st *step) beat(d deed) {
	k := &st.s.workers[d.who]
	l := letter{op: model.OpExtend, who: d.who, job: k.job, n: k.n, token: k.token}
	if (d.how == dropped || d.how == late) && st.w.isVital(st.s, d.who) {
		k.spent++
	}
	k.flags &^= isOverdue
	if d.how == late || d.how == doubled {
		st.s.post(l)
	}
	if d.how != dropped && d.how != late {
		st.request(l, d.place, said{})
		st.beaten(l)
	}
}

// beaten lets who holds what l has extended count from here which heartbeats fail.
func (st *step) beaten(l letter) {
	if l.op != model.OpExtend || st.e.answer != model.OK {
		return
	}
	for i := range st.w.workers {
		k, grips := &st.s.workers[i], &st.w.workers[i].grips
		if !k.holds() || k.job != l.job || k.n != st.s.jobs[l.job].n {
			continue
		}
		if grips[0] != grips[1] {
			k.flags |= isCurtailed
		}
		if k.n == l.n {
			k.spent = 0
		}
	}
}

// tick lets a pump move the first job that is due.
func (st *step) tick(d deed) {
	st.request(letter{op: d.op, job: d.job}, 0, said{})
}

// arrive brings a late letter to its receiver.
func (st *step) arrive(d deed) {
	l := st.s.take(int(d.n))
	if l.op == model.OpApply {
		st.effect(l.who, l.job, l.n, l.token)
		if k, ok := st.w.calling(st.s, l); ok {
			st.s.workers[k].phase = stepping
			st.advance(k)
		}
		return
	}
	st.request(l, d.place, said{copied: true})
	st.beaten(l)
	st.inTime(l)
}

// inTime brings the answer to a late letter to who still waits for it: it has sent that
// one and no other since. A copy is not waited for, for its original was answered.
func (st *step) inTime(l letter) {
	if k, ok := st.w.waiting(st.s, l); ok {
		st.settled(k)
	}
	if j := &st.s.jobs[l.job]; l.op.Admits() && j.sends == 1 && !j.has(isSent) {
		j.flags |= isSent
		if admits(st.e.answer) {
			st.admitted(l.job)
		}
	}
}

// calling returns the worker that waits for the outside service to answer l.
func (w *World) calling(s *State, l letter) (uint8, bool) {
	for k := range w.workers {
		worker := &s.workers[k]
		if worker.phase == calling && l.op == model.OpApply && worker.job == l.job && worker.n == l.n {
			return uint8(k), true
		}
	}
	return 0, false
}

// waiting returns the worker that waits for the answer to l and to nothing else.
func (w *World) waiting(s *State, l letter) (uint8, bool) {
	for k := range w.workers {
		worker := &s.workers[k]
		isSent := worker.phase == settling || worker.phase == waiting
		if isSent && worker.sends == 1 && worker.job == l.job && worker.n == l.n && worker.verb == l.op {
			return uint8(k), true
		}
	}
	return 0, false
}

// act lets somebody beside the workers speak. He is told at once.
func (st *step) act(d deed) {
	l := letter{op: d.op, job: d.job, n: d.n}
	if d.n > 0 {
		l.token = st.s.jobs[d.job].tokens[d.n-1]
	}
	st.request(l, d.place, said{raw: true})
	st.beaten(l)
}

// lose crashes the queue, which forgets its last n writes. The deadlines that it
// remembers are over as far as they were then.
func (st *step) lose(d deed) {
	was := st.w.queue(st.s)
	back := st.s.past[d.n-1]
	st.s.queue, st.s.due = st.w.machine.outlast(back.queue, st.s.queue), back.due
	relet := back.relet | st.s.past[0].relet // with one write, both are the same
	st.w.unbeaten(st.s, relet)
	st.s.past = [maxForgotten]restored{}
	st.q = st.w.queue(st.s)
	st.verb = model.OpNone
	var touched uint8
	for j := range st.w.jobs {
		if a, b := was.stands[j], st.q.stands[j]; a.Sets != b.Sets || a.Fields != b.Fields || a.Attempts != b.Attempts {
			touched |= 1 << j
		}
		if relet>>j&1 == 1 {
			st.s.jobs[j].flags = st.s.jobs[j].flags&^isBehind | isBeyond
		}
	}
	st.restored(was, d.n, touched)
}
