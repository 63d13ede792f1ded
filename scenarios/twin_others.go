package scenarios

import (
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// wrong is what goes wrong in another history: with the delivery and elsewhere.
type wrong struct{ here, elsewhere faults.Plan }

// others lists what may have gone wrong instead, in the order in which it is tried.
// No list is complete: what it lacks can hide a twin, and never makes one up.
func (s *Story) others(g *gap) []wrong {
	if g.observer != faults.Queue {
		return s.settledOtherwise(g)
	}
	w := s.workerOf(g.claim.Proc)
	heres := ran(g, w)
	if g.fact {
		heres = neverRan(g, w)
	}
	return crossed(s.elsewhere(g), heres)
}

// crossed puts each of what goes wrong here together with each of what does
// elsewhere.
func crossed(elsewheres, heres []faults.Plan) (list []wrong) {
	for _, elsewhere := range elsewheres {
		for _, here := range heres {
			list = append(list, wrong{slices.Clone(here), elsewhere})
		}
	}
	return list
}

// elsewhere lists the plans without what stood between the claim's answer and the
// settlement: what befell the delivery at its points; where that is something, also
// at times; and then with what only made it late, without which the settlement would
// come at another time. What befell the claim's request and the heartbeats stays,
// since the queue can see it.
func (s *Story) elsewhere(g *gap) []faults.Plan {
	befell := func(e *faults.Entry) bool {
		p := &e.Point
		seen := p.Family == faults.Message && (p.Op == model.OpClaim && !p.Reply || p.Op == model.OpExtend)
		return g.strikes(p) && !seen
	}
	points := s.planBut(befell)
	plans := []faults.Plan{points}
	if times := slices.DeleteFunc(slices.Clone(points), func(e faults.Entry) bool {
		return e.Point.Family == faults.Slot && e.Point.Proc == g.claim.Proc && e.Outcome.Kinds&(faults.Crash|faults.Pause) != 0
	}); len(times) < len(points) {
		plans = append(plans, times)
	}
	if late := s.planBut(func(e *faults.Entry) bool {
		return befell(e) && e.Outcome.Kinds&(faults.Delay|faults.Pause) == 0
	}); len(late) > len(points) {
		plans = append(plans, late)
	}
	return plans
}

// planBut returns the plan without the faults that gone names.
func (s *Story) planBut(gone func(*faults.Entry) bool) faults.Plan {
	return slices.DeleteFunc(slices.Clone(s.Plan), func(e faults.Entry) bool { return gone(&e) })
}

// strikes reports whether p is a point of the delivery.
func (g *gap) strikes(p *faults.Point) bool {
	return p.Family != faults.Slot && p.Job == g.claim.Job && p.N == g.claim.N
}

// workerOf returns the worker that is p, or nil: a process that only `do` lines name
// takes no steps.
func (s *Story) workerOf(p model.Proc) *Worker {
	cast := s.Cast()
	i := slices.IndexFunc(s.Workers, func(w Worker) bool {
		named, _ := cast.Proc(w.Name)
		return named == p
	})
	if i < 0 {
		return nil
	}
	return &s.Workers[i]
}

// neverRan lists histories in which the work has no effect: the claim's answer is
// lost; a crash before the first step; the work fails, and its report is lost; the
// call to the outside is lost, and the failure reported. (A pause that outlasts the
// cut looks to the queue as a crash without a restart does.)
func neverRan(g *gap, w *Worker) []faults.Plan {
	list := []faults.Plan{{g.lose(model.OpClaim, true)}}
	if w == nil {
		return list
	}
	refused := g.lose(model.OpApply, false)
	refused.Outcome.Kinds = faults.Refuse
	list = append(list, faults.Plan{g.crash(w.Consumer.Program()[0], false)},
		append(faults.Plan{refused}, g.loseAll(model.OpRetry, w)...))
	if w.Consumer.Calls() {
		list = append(list, faults.Plan{g.lose(model.OpApply, false)})
	}
	return list
}

// ran lists histories in which it has one: nothing goes wrong; the acknowledgement
// is lost; a crash after the effect; the answer of the outside is lost, and a
// failure reported.
func ran(g *gap, w *Worker) []faults.Plan {
	if w == nil {
		return nil
	}
	list := []faults.Plan{nil, g.loseAll(model.OpComplete, w), {g.crash(w.Consumer.Effect(), true)}}
	if w.Consumer.Calls() {
		list = append(list, faults.Plan{g.lose(model.OpApply, true)})
	}
	return list
}

// settledOtherwise lists histories in which the queue accepted the settlement by
// the time the worker acts, or did not: its answer is lost, or it is lost itself.
// Then the same where nobody takes the job from the worker, and where only the
// answers are cut off. (What comes too late is to the worker as good as lost.)
func (s *Story) settledOtherwise(g *gap) (list []wrong) {
	plan := s.planBut(func(e *faults.Entry) bool {
		return e.Point.Family == faults.Message && e.Point.Op.Settles() && g.strikes(&e.Point)
	})
	elsewheres := []faults.Plan{plan, unreaped(plan, g.claim.At)}
	if cut := g.answersCut(plan); !slices.Equal(cut, plan) {
		elsewheres = append(elsewheres, cut)
	}
	for _, elsewhere := range elsewheres {
		for _, op := range []model.Op{model.OpComplete, model.OpRetry} {
			for _, reply := range []bool{true, false} {
				list = append(list, wrong{faults.Plan{g.lose(op, reply)}, elsewhere})
			}
		}
	}
	return list
}

// unreaped returns plan with a pump that is dead from at on, so that nobody takes a
// job from a worker.
func unreaped(plan faults.Plan, at model.Time) faults.Plan {
	dead := faults.Outcome{Kinds: faults.Crash, At: at}
	return append(slices.Clone(plan), window(plan, faults.SlotCrash, faults.Pump, dead))
}

// answersCut returns plan with each partition between the worker and the queue such
// that the requests pass and the answers do not.
func (g *gap) answersCut(plan faults.Plan) (out faults.Plan) {
	for _, e := range plan {
		p := &e.Point
		if p.Family == faults.Slot && p.Slot == faults.SlotPartition &&
			min(p.Proc, p.Peer) == faults.Queue && max(p.Proc, p.Peer) == g.claim.Proc {
			o := e.Outcome
			o.Oneway = true
			e = window(out, faults.SlotPartition, faults.Queue, o)
			e.Point.Peer = g.claim.Proc
		}
		out = append(out, e)
	}
	return out
}

// window is one more window of a process, as plan has to number it.
func window(plan faults.Plan, slot faults.SlotKind, p model.Proc, o faults.Outcome) faults.Entry {
	e := faults.Entry{Point: faults.Point{Family: faults.Slot, Slot: slot, Proc: p, Nth: 1}, Outcome: o}
	for i := range plan {
		if q := plan[i].Point; q.Family == faults.Slot && q.Slot == slot && q.Proc == p {
			e.Point.Nth++
		}
	}
	return e
}

// lose is the loss of the first such message of the delivery.
func (g *gap) lose(op model.Op, reply bool) faults.Entry {
	p := faults.Point{Family: faults.Message, Op: op, Reply: reply, Job: g.claim.Job, N: g.claim.N, Nth: 1}
	if reply {
		p.Nth = faults.FirstReply
	}
	return faults.Entry{Point: p, Outcome: faults.Outcome{Kinds: faults.Drop}}
}

// maxResent is how many settlements of one delivery a twin loses at most.
const maxResent = 16

// loseAll loses a settlement as often as the worker sends it.
func (g *gap) loseAll(op model.Op, w *Worker) (plan faults.Plan) {
	for nth := range int32(min(w.SettleRetries, maxResent) + 1) {
		e := g.lose(op, false)
		e.Point.Nth = nth + 1
		plan = append(plan, e)
	}
	return plan
}

// crash is a crash before or after a step of the delivery.
func (g *gap) crash(step model.Step, after bool) faults.Entry {
	p := faults.Point{
		Family: faults.Step, Proc: g.claim.Proc, Step: step, After: after, Job: g.claim.Job, N: g.claim.N, Nth: 1,
	}
	return faults.Entry{Point: p, Outcome: faults.Outcome{Kinds: faults.Crash}}
}
