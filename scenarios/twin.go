package scenarios

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// Twin is another history of the same world, found by running it, which the
// queue cannot tell from the first: its views are equal up to the queue's first
// action on the job after the acknowledgement gap, or to the end where it never
// acts; and yet in one of the two the delivery changes the outside ledger, then
// or later, and in the other never.
type Twin struct {
	Job     model.Job
	N       int32
	Fault   faults.Entry // what goes wrong in the twin instead
	Cut     model.Event  // the queue's first action after the gap, or the end, in the first history
	View    model.Digest // of both views
	Worked  bool         // in the first history the work of the delivery ran
	History *model.History
}

// gap is a delivery whose settlement the queue did not get before it acted.
type gap struct {
	claim, cut *model.Event
	worked     bool       // the delivery had its effect, be it after the cut
	nextClaim  model.Time // when the worker next asked for a job, or Never
}

// FindTwin looks for a twin of the run h of s about the delivery j#n; n = 0 is
// any delivery of j, and NoJob any of all. It returns false when the queue
// could have known: no candidate has the same view.
func (s *Story) FindTwin(h *model.History, j model.Job, n int32) (*Twin, bool) {
	for i := range h.Events {
		claim := &h.Events[i]
		if claim.Kind != model.Applied || claim.Op != model.OpClaim || claim.Answer != model.OK ||
			j != model.NoJob && claim.Job != j || n > 0 && claim.N != n {
			continue
		}
		if g, ok := findGap(h, claim); ok {
			g.worked = hasWorked(h, claim)
			if t, ok := s.twinOf(h, g); ok {
				return t, true
			}
		}
	}
	return nil, false
}

// findGap follows a delivery to the queue's first action on its job: a reap or
// sweep of it, or the settlement of a later delivery. A queue that never acts is
// followed to the end. There is no gap if the delivery itself was settled before.
func findGap(h *model.History, claim *model.Event) (gap, bool) {
	g := gap{claim: claim, nextClaim: model.Never}
	for i := int(claim.Seq); i < len(h.Events); i++ {
		e := &h.Events[i]
		switch {
		case e.Kind == model.Sent && e.Op == model.OpClaim && e.Proc == claim.Proc:
			g.nextClaim = min(g.nextClaim, e.At)
		case e.Kind == model.Ended:
			g.cut = e
			return g, true
		case e.Kind != model.Applied:
		case e.Op.Settles() && e.Answer.Accepted() && e.Job == claim.Job:
			g.cut = e
			return g, e.N > claim.N
		case (e.Op == model.OpReap || e.Op == model.OpSweep) && touches(h, e, claim.ID):
			g.cut = e
			return g, true
		}
	}
	return g, false
}

// hasWorked reports whether the delivery of claim changed the outside ledger at
// any time: a worker that is slow and one that is dead are alike to the queue
// long before the slow one has done its work.
func hasWorked(h *model.History, claim *model.Event) bool {
	return slices.ContainsFunc(h.Events, func(e model.Event) bool {
		return e.Kind == model.Effected && e.Job == claim.Job && e.N == claim.N
	})
}

func touches(h *model.History, e *model.Event, id model.ID) bool {
	return slices.ContainsFunc(h.TouchedBy(e.Seq), func(t model.Touch) bool { return t.ID == id })
}

// twinOf tries the candidates in their order: the claim's answer lost, a crash
// before the first step, a pause before it; where the work never ran, the
// acknowledgement lost, a crash after the effect, a pause after it.
func (s *Story) twinOf(h *model.History, g gap) (*Twin, bool) {
	want := h.QueueView(faults.Queue, g.cut.Seq)
	for _, f := range s.candidates(g) {
		if t, ok := s.tryTwin(g, want, f); ok {
			return t, true
		}
	}
	return nil, false
}

func (s *Story) candidates(g gap) []faults.Entry {
	message := func(op model.Op, reply bool) faults.Point {
		p := faults.Point{Family: faults.Message, Op: op, Reply: reply, Job: g.claim.Job, N: g.claim.N, Nth: 1}
		if reply {
			p.Nth = faults.FirstReply
		}
		return p
	}
	entry := func(p faults.Point, o faults.Outcome) faults.Entry {
		return faults.Entry{Point: p, Outcome: o, Optional: true}
	}
	drop := faults.Outcome{Kinds: faults.Drop}
	list := []faults.Entry{entry(message(model.OpClaim, true), drop)}
	if !g.worked {
		list = []faults.Entry{entry(message(model.OpComplete, false), drop)}
	}
	step, ok := s.stepPoint(g)
	if !ok {
		return list
	}
	pause := faults.Outcome{Kinds: faults.Pause, For: s.Horizon}
	return append(list, entry(step, faults.Outcome{Kinds: faults.Crash}), entry(step, pause))
}

// stepPoint is where the delivery's worker stops in the twin: before its first
// step, or after its effect.
func (s *Story) stepPoint(g gap) (faults.Point, bool) {
	cast := s.Cast()
	i := slices.IndexFunc(s.Workers, func(w Worker) bool {
		p, _ := cast.Proc(w.Name)
		return p == g.claim.Proc
	})
	if i < 0 {
		return faults.Point{}, false
	}
	c := s.Workers[i].Consumer
	p := faults.Point{
		Family: faults.Step, Proc: g.claim.Proc, Step: c.Program()[0], Job: g.claim.Job, N: g.claim.N, Nth: 1,
	}
	if !g.worked {
		p.Step, p.After = c.Effect(), true
	}
	return p, true
}

// tryTwin runs the world with f in place of what went wrong with the delivery.
// A crash restarts when the worker asked for its next job in the first history;
// where the first guess misses that instant, it is corrected once by how much.
func (s *Story) tryTwin(g gap, want model.View, f faults.Entry) (*Twin, bool) {
	restart := f.Outcome.Has(faults.Crash) && g.nextClaim < g.cut.At
	if restart {
		f.Outcome.Restarts, f.Outcome.Restart = true, g.nextClaim.Sub(g.claim.At)
	}
	for range 3 {
		other := *s
		other.Plan = append(s.planWithout(g.claim.Job, g.claim.N), f)
		h, ok := other.rerun()
		if !ok {
			return nil, false
		}
		if t, ok := g.compare(h, want, f); ok {
			return t, true
		}
		miss, ok := g.missedBy(h)
		if !restart || !ok || f.Outcome.Restart+miss < 0 {
			return nil, false
		}
		f.Outcome.Restart += miss
	}
	return nil, false
}

// planWithout returns the plan without what it does to one delivery.
func (s *Story) planWithout(j model.Job, n int32) faults.Plan {
	return slices.DeleteFunc(slices.Clone(s.Plan), func(e faults.Entry) bool {
		return e.Point.Family != faults.Slot && e.Point.Job == j && e.Point.N == n
	})
}

// rerun runs s aside and returns its history.
func (s *Story) rerun() (*model.History, bool) {
	s.Expects = nil
	out, err := s.Run(Options{})
	if err != nil {
		return nil, false
	}
	return out.History, true
}

// compare reports whether h is a twin: the same queue view up to the cut, and
// another truth behind it.
func (g gap) compare(h *model.History, want model.View, f faults.Entry) (*Twin, bool) {
	if hasWorked(h, g.claim) == g.worked {
		return nil, false
	}
	for i := range h.Events {
		e := &h.Events[i]
		if e.Kind != g.cut.Kind || e.Server != g.cut.Server || e.Op != g.cut.Op {
			continue
		}
		if view := h.QueueView(faults.Queue, e.Seq); view.Equal(want) {
			return &Twin{
				Job: g.claim.Job, N: g.claim.N, Fault: f, Cut: *g.cut,
				View: view.Digest(), Worked: g.worked, History: h,
			}, true
		}
	}
	return nil, false
}

// missedBy returns how much later the worker should have asked for its next job
// in h than it did.
func (g gap) missedBy(h *model.History) (time.Duration, bool) {
	after := false
	for i := range h.Events {
		e := &h.Events[i]
		if e.Proc != g.claim.Proc {
			continue
		}
		after = after || e.Kind == model.Applied && e.Op == model.OpClaim && e.Job == g.claim.Job && e.N == g.claim.N
		if after && e.Kind == model.Sent && e.Op == model.OpClaim {
			return g.nextClaim.Sub(e.At), e.At != g.nextClaim
		}
	}
	return 0, false
}

// checkTwin checks a line that expects a twin, or none.
func (w *world) checkTwin(e *Expect, r *Result) {
	_, found := w.story.FindTwin(w.history, e.Job, e.N)
	switch {
	case e.Kind == ExpectTwin && !found:
		r.miss("no other history that was tried has the same queue view")
	case e.Kind == ExpectNoTwin && found:
		r.miss("there is a twin")
	}
}
