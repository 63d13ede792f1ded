package exhaust

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// consume takes the next step of a consumer's program at the store, as
// actors.Worker does. What a step of it only records is no step here.
func (st *step) consume(d deed) {
	k, spec := &st.s.workers[d.who], &st.w.workers[d.who]
	j := &st.s.jobs[k.job]
	st.verb = model.OpApply
	switch spec.program[k.step] {
	case model.StepCheck:
		st.note(model.Checked, d.who, j.has(isMarked))
		if j.has(isMarked) {
			st.seen(sawMarkerSkip, k.job)
			st.worked(d.who)
			return
		}
	case model.StepMark:
		st.note(model.Marked, d.who, j.has(isMarked))
		j.flags |= isMarked
	default:
		if !st.apply(d) {
			return
		}
	}
	st.advance(d.who)
}

// advance goes on to the next step, or to what follows the last.
func (st *step) advance(who uint8) {
	k := &st.s.workers[who]
	if k.step++; int(k.step) == len(st.w.workers[who].program) {
		st.worked(who)
	}
}

// apply takes the step at which the consumer changes the outside ledger, and
// reports whether the program goes on.
func (st *step) apply(d deed) bool {
	k := st.s.workers[d.who]
	calls := st.w.workers[d.who].consumer.Calls()
	switch d.how {
	case refused:
		st.fail(d.who)
		return false
	case late, doubled:
		st.s.post(letter{op: model.OpApply, who: d.who, job: k.job, n: k.n, token: k.token})
	}
	done := false
	if d.how != dropped && d.how != late {
		done = st.effect(d.who, k.job, k.n, k.token)
	}
	if lost := d.how == dropped || d.how == late || d.how == answerDropped; lost && st.w.waitsForCalls(d.who, &k) {
		st.s.workers[d.who].phase = calling
		return false
	}
	if !done && !calls || d.how == dropped || d.how == late || d.how == answerDropped {
		st.fail(d.who)
		return false
	}
	return true
}

// waitsForCalls reports whether it matters that a worker waits for the answer to a call:
// its heart beats meanwhile, or its lease may lapse.
func (w *World) waitsForCalls(who uint8, k *worker) bool {
	spec := &w.workers[who]
	return !k.has(isSettled) && (spec.beats || spec.canSlip())
}

// effect does at the store what the consumer of worker who does for a delivery. It
// reports false where the store's fence refuses.
func (st *step) effect(who, job, n, token uint8) bool {
	j := &st.s.jobs[job]
	switch st.w.workers[who].consumer {
	case actors.Atomic, actors.TTLMarker:
		if j.has(isMarked) {
			st.absorbed(who, job, n, model.ByMarker)
			return true
		}
		j.flags |= isMarked
	case actors.Natural, actors.ScorerFixed:
		if j.has(isUpserted) {
			st.absorbed(who, job, n, model.ByUpsert)
			return true
		}
		j.flags |= isUpserted
	case actors.ExternalKey:
		if j.has(isUpserted) {
			st.absorbed(who, job, n, model.ByKey)
			return true
		}
		j.flags |= isUpserted
	case actors.Fenced:
		if token < j.fence {
			st.absorbed(who, job, n, model.ByFence)
			return false
		}
		j.fence = token
	}
	st.effected(who, job, n)
	return true
}
