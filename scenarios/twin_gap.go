package scenarios

import (
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// gap is one delivery of a history between its claim and the act of an observer.
type gap struct {
	history    *model.History
	observer   model.Proc
	claim, cut *model.Event
	view       model.View // of the observer, the cut included
	behind     []int32    // the numbers of the records behind the view
	fact       bool       // what Knowledge asks about
	nextClaim  model.Time // when the worker next asked for a job, or Never
	effort     *effort    // of the search that asks
}

// effort is what one search has cost, in events of the histories that it ran.
type effort struct{ events int }

// maxEffort is how many events the histories of one search have: some seconds. A history
// is as long as the horizon lets it be, and there are as many to try as deliveries,
// eightfold, times what may befall each.
const maxEffort = 500_000

func (e *effort) isOver() bool { return e.events >= maxEffort }

// isGrant reports whether e is a claim that was given a job.
func isGrant(e *model.Event) bool {
	return e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK
}

// claimOf returns the claim of the delivery j#n in h, or nil.
func claimOf(h *model.History, j model.Job, n int32) *model.Event {
	i := slices.IndexFunc(h.Events, func(e model.Event) bool { return isGrant(&e) && e.Job == j && e.N == n })
	if i < 0 {
		return nil
	}
	return &h.Events[i]
}

// findGap follows the delivery of claim to the act of the observer. It is false
// where a worker never comes to ask itself whether its settlement was accepted.
func findGap(h *model.History, observer model.Proc, claim *model.Event) (*gap, bool) {
	g := &gap{history: h, observer: observer, claim: claim, nextClaim: model.Never}
	if observer == faults.Queue {
		g.cut = g.queueActs()
	} else if g.cut = g.workerActs(); g.cut == nil {
		return nil, false
	}
	g.view, g.behind = h.Seen(observer, faults.Queue, g.cut.Seq)
	g.fact = g.holds()
	for _, e := range h.Events[claim.Seq:] {
		if e.Kind == model.Sent && e.Op == model.OpClaim && e.Proc == claim.Proc {
			g.nextClaim = e.At
			break
		}
	}
	return g, true
}

// isAbout reports whether e is about the delivery and by its worker.
func (g *gap) isAbout(e *model.Event) bool {
	return e.Job == g.claim.Job && e.N == g.claim.N && e.Proc == g.claim.Proc
}

// queueActs returns the queue's first action on the job after the claim: a reap or
// sweep of it, a settlement that it accepts, or another delivery, which comes first
// where a server forgot this one. The last record of a history is its end.
func (g *gap) queueActs() *model.Event {
	rest := g.history.Events[g.claim.Seq:]
	for i := range rest {
		e := &rest[i]
		switch {
		case e.Kind != model.Applied:
		case (e.Op.Settles() && e.Answer.Accepted() || isGrant(e)) && e.Job == g.claim.Job,
			(e.Op == model.OpReap || e.Op == model.OpSweep) && touches(g.history, e, g.claim.ID):
			return e
		}
	}
	return &rest[len(rest)-1]
}

// workerActs returns the worker's first request or step after it sent its
// settlement, or the end; nil where it sent none, or died before it acted.
func (g *gap) workerActs() *model.Event {
	rest, settled := g.history.Events[g.claim.Seq:], false
	for i := range rest {
		e := &rest[i]
		switch {
		case e.Proc != g.observer || e.Op == model.OpExtend:
		case !settled:
			settled = e.Kind == model.Sent && e.Op.Settles() && g.isAbout(e)
		case e.Kind == model.Crashed:
			return nil
		case e.Kind == model.Sent, e.Step != model.NoStep:
			return e
		}
	}
	if !settled {
		return nil
	}
	return &rest[len(rest)-1]
}

func touches(h *model.History, e *model.Event, id model.ID) bool {
	return slices.ContainsFunc(h.TouchedBy(e.Seq), func(t model.Touch) bool { return t.ID == id })
}

// holds reports whether the fact that the observer would know is so.
func (g *gap) holds() bool {
	events := g.history.Events
	if g.observer != faults.Queue {
		events = events[:g.cut.Seq]
	}
	return slices.ContainsFunc(events, func(e model.Event) bool {
		if e.Job != g.claim.Job || e.N != g.claim.N {
			return false
		}
		if g.observer == faults.Queue {
			return e.Kind == model.Effected
		}
		return e.Kind == model.Applied && e.Op.Settles() && e.Answer.Accepted()
	})
}

// countEffects counts how often the outside ledger changed under j.
func countEffects(h *model.History, j model.Job) (n int) {
	for i := range h.Events {
		if e := &h.Events[i]; e.Kind == model.Effected && e.Job == j {
			n++
		}
	}
	return n
}
