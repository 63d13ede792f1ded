package exhaust

import (
	"time"

	"github.com/ackgap/ackgap/model"
)

// fold brings the ledger up to date after a request, as model.Ledger does.
func (st *step) fold(l letter, job uint8) {
	next := st.w.queue(st.s)
	for i := range st.w.jobs {
		if st.e.touched>>i&1 == 1 && next.stands[i].Sets&model.InDead != 0 && st.q.stands[i].Sets&model.InDead == 0 {
			st.s.jobs[i].end = dead
		}
	}
	j, a := &st.s.jobs[job], st.e.answer
	if st.said.raw && l.op.Admits() && admits(a) {
		j.flags |= isAdmitted
	}
	switch {
	case l.op == model.OpDrain:
		st.drained(next)
	case l.op.Admits() && (a == model.Enqueued || a == model.Scheduled):
		j.claims, j.end = 0, notEnded
	case l.op == model.OpClaim && a == model.OK:
		j.tokens[j.n] = st.e.token
		j.n++
		j.claims++
		j.flags &^= isOver | isBeyond | isBehind
	case l.op.Settles() && a.Accepted():
		st.foldSettled(l, j)
	case l.op == model.OpExtend && a == model.OK:
		st.foldExtended(l, j)
	case l.op == model.OpRemove && a == model.OK:
		j.end = removed
		j.flags |= isOver
	case l.op == model.OpReprocess && a == model.OK:
		j.end = notEnded
	}
}

// postponed marks, by their step, the workers whose last heartbeats arrive before this job can
// be due: its settlement postponed it for as long as a round trip, and a millisecond more, since
// a server's clock reads whole milliseconds, so that a delay can be almost one shorter.
func (st *step) postponed(l letter) {
	if st.e.answer != model.Scheduled || st.w.scope.has(Jump) || st.w.postpones(l)-time.Millisecond < 2*st.w.slowest() {
		return
	}
	for i := range st.w.workers {
		if k := &st.s.workers[i]; k.isAnswered() && k.job == l.job {
			k.step = 1
		}
	}
}

// foldExtended notes how the deadline in active stands to the end of the last delivery's
// lease, which nobody else can move. It is behind that, unless this queue's extends shorten.
func (st *step) foldExtended(l letter, j *job) {
	wasApart := j.has(isBeyond | isBehind)
	j.flags &^= isBeyond | isBehind
	switch {
	case l.n == j.n:
	case st.e.shorter, wasApart && st.w.anyPlace:
		j.flags |= isBeyond
	default:
		j.flags |= isBehind
	}
}

func (st *step) foldSettled(l letter, j *job) {
	if l.n > 0 {
		j.settled |= 1 << l.n
		if l.n == j.n {
			j.flags |= isOver
		}
	}
	if l.op == model.OpComplete {
		j.end = completed
		j.flags |= isCompleted
	}
}

// drained removes what a drain took out of the queue.
func (st *step) drained(next *queueState) {
	for i := range st.w.jobs {
		if st.e.touched>>i&1 == 1 && next.stands[i].Fields == 0 {
			st.s.jobs[i].end = removed
			st.s.jobs[i].flags |= isOver
		}
	}
}

// admitted notes that a producer was told that job j is in.
func (st *step) admitted(j uint8) {
	st.s.jobs[j].flags |= isAdmitted
	st.w.trace.admitted(j)
	st.verb = model.OpEnqueue
	st.loss(j)
}

// restored folds and judges what a crash has brought back.
func (st *step) restored(was *queueState, n, touched uint8) {
	for i := range st.w.jobs {
		if touched>>i&1 == 0 {
			continue
		}
		if st.q.stands[i].Sets&model.InDead != 0 && was.stands[i].Sets&model.InDead == 0 {
			st.s.jobs[i].end = dead
		}
	}
	st.w.trace.restored(st, n, was, touched)
	for i := range st.w.jobs {
		if touched>>i&1 == 1 {
			st.loss(uint8(i))
		}
	}
}

// effected notes a change of the outside ledger.
func (st *step) effected(who, job, n uint8) {
	j := &st.s.jobs[job]
	if j.effects < 2 {
		j.effects++
	}
	st.w.trace.effected(who, job, n, j.effects)
	st.verb = model.OpApply
	st.breach(j.effects > 1, noDuplicateEffect, job)
}

// absorbed notes a step that changed nothing.
func (st *step) absorbed(who, job, n uint8, why model.Cause) {
	st.w.trace.absorbed(who, job, n, why)
	st.verb = model.OpApply
	if why == model.ByMarker {
		st.seen(sawMarkerSkip, job)
	}
}

// note tells the trace of a look at the marker, or of its writing.
func (st *step) note(kind model.Kind, who uint8, found bool) { st.w.trace.marker(kind, st, who, found) }
