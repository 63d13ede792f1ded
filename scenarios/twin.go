package scenarios

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Knowledge answers whether an observer of a run could have known a fact about
// one delivery, at the moment when it acted.
//
// To the queue the fact is that the delivery changes the outside ledger, then or
// later: a worker that is slow and one that is dead are alike to it long before
// the slow one has done its work. It acts at its first settlement, reap, sweep or
// new delivery of the job after the claim. To the worker of the delivery the fact
// is that a settlement of it stands in the queue by then. It acts with its first
// request or step after the settlement left, heartbeats aside. Who never acts is
// followed to the end of the run.
//
// An observer knows a fact if it holds in every history in which the observer has
// seen the same (Halpern, Moses, "Knowledge and Common Knowledge in a Distributed
// Environment", JACM 37(3), 1990, section 6). So one Twin proves that it could not
// have known. That there is none is proved by no search: Told says which record
// told it where that record is a message that was sent by whom the fact is about,
// for a fact about another is learnt by a chain of messages from there and in no
// other way (Chandy, Misra, "How Processes Learn", Distributed Computing 1(1),
// 1986). Where there is neither, or the search was cut short, the question is open.
type Knowledge struct {
	Observer model.Proc // the queue, or the worker of the delivery
	Job      model.Job
	N        int32
	Fact     bool        // what was so in the run
	Cut      model.Event // with which the observer acted, or the end
	View     model.View  // what it had seen, that record included
	Twin     *Twin       // another history with the same view, in which it was not so; or nil
	Told     *model.Event
	Tried    int  // how many histories of the same world were run in which it was not so
	Short    bool // the search was cut short, so that nothing is told by what it has not found
}

// Twin is another history of the same world, found by running it, of which an
// observer saw the same up to the cut.
type Twin struct {
	Story   *Story      // stands alone, and expects as many effects of the job as there were
	Faults  faults.Plan // what goes wrong with the delivery in it; empty where nothing does
	Cut     model.Event // the same act of the observer in History
	View    model.View  // equal to that of the run
	History *model.History
}

// FindTwin asks whether the observer of the run h of s could have known about the
// delivery j#n; n = 0 is any delivery of j, and NoJob any of all: then the first
// that has a twin is answered for, or else the first that there is. It returns nil
// where there is no such delivery, or the observer, if it is not the queue, never
// settled it.
func (s *Story) FindTwin(h *model.History, observer model.Proc, j model.Job, n int32) *Knowledge {
	var first *Knowledge
	spent := &effort{}
	for i := range h.Events {
		claim := &h.Events[i]
		if !isGrant(claim) || j != model.NoJob && claim.Job != j || n > 0 && claim.N != n {
			continue
		}
		g, ok := findGap(h, observer, claim)
		if !ok {
			continue
		}
		g.effort = spent
		k := s.search(g)
		if k.Twin != nil || k.Short {
			return k
		}
		if first == nil {
			first = k
		}
	}
	return first
}

// search runs the other histories of g in their order, up to a twin.
func (s *Story) search(g *gap) *Knowledge {
	k := &Knowledge{
		Observer: g.observer, Job: g.claim.Job, N: g.claim.N, Fact: g.fact, Cut: *g.cut, View: g.view,
	}
	common := 0
	for other := range s.histories(g) {
		if other.gap.fact == g.fact {
			continue
		}
		k.Tried++
		if other.gap.view.Equal(g.view) {
			k.Twin = other.twin(s)
			return k
		}
		common = max(common, g.view.Common(other.gap.view))
	}
	if k.Short = g.effort.isOver(); !k.Short && common < len(g.view) {
		k.Told = g.toldBy(&g.history.Events[g.behind[common]-1])
	}
	return k
}

// histories yields other histories in which the delivery of g is, run: first
// something else befalls the delivery itself, then an earlier one.
func (s *Story) histories(g *gap) iter.Seq[*other] {
	return func(yield func(*other) bool) {
		for _, w := range s.others(g) {
			if o := s.try(g, w); o != nil && !yield(o) {
				return
			}
		}
		s.turnEarlier(g, yield)
	}
}

// toldBy returns e if it can have told the observer: a settlement by the worker of
// the delivery, or an answer to one. The answer to a heartbeat tells a worker
// nothing: where the job is gone, a queue may have forgotten it.
func (g *gap) toldBy(e *model.Event) *model.Event {
	isNews := e.Kind == model.Applied && g.observer == faults.Queue ||
		e.Kind == model.Answered && g.observer != faults.Queue
	if isNews && g.isAbout(e) && e.Op.Settles() {
		return e
	}
	return nil
}

// other is one other history of the world, run.
type other struct {
	story *Story
	out   *Outcome
	gap   *gap // of the same delivery
}

// try runs the world in which w goes wrong. A crash restarts when the worker asked
// for its next job in the first history; where a guess misses that instant, it is
// corrected by how much, unless it would have to be back before it died. It returns
// nil where the delivery is not there, or the world cannot be run.
func (s *Story) try(g *gap, w wrong) *other {
	crash := slices.IndexFunc(w.here, func(e faults.Entry) bool { return e.Point.Family == faults.Step && e.Outcome.Has(faults.Crash) })
	restarts := crash >= 0 && g.nextClaim < g.cut.At
	if restarts {
		o := &w.here[crash].Outcome
		o.Restarts, o.Restart = true, g.nextClaim.Sub(g.claim.At)
	}
	var last *other
	for range 3 {
		last = s.rerun(g, w)
		if last == nil || !restarts {
			break
		}
		miss := g.nextClaim.Sub(last.gap.nextClaim)
		if miss == 0 || w.here[crash].Outcome.Restart+miss < 0 {
			break
		}
		w.here[crash].Outcome.Restart += miss
	}
	return last
}

// rerun runs s aside with what goes wrong in w, and finds the delivery of g in it. It
// runs nothing more once the search has cost what it may.
func (s *Story) rerun(g *gap, w wrong) *other {
	if g.effort.isOver() {
		return nil
	}
	planned := *s
	planned.Plan = slices.Concat(w.elsewhere, w.here)
	story := planned.bare()
	out, err := story.Run(Options{})
	if err != nil {
		return nil
	}
	g.effort.events += len(out.History.Events)
	return (&other{story: story, out: out}).of(g)
}

// of returns o with the delivery of g found in it, or nil.
func (o *other) of(g *gap) *other {
	claim := claimOf(o.out.History, g.claim.Job, g.claim.N)
	if claim == nil {
		return nil
	}
	found, ok := findGap(o.out.History, g.observer, claim)
	if !ok {
		return nil
	}
	return &other{o.story, o.out, found}
}

// twin tells o as a story that stands alone: without the faults that found no point
// in it. A window that changed nothing leaves its records all the same: it stays,
// and need not fire.
func (o *other) twin(s *Story) *Twin {
	story := o.story
	story.Name = twinName(s.Name)
	story.Plan = without(story.Plan, o.out.Unfired, faults.Slot)
	for i := range story.Plan {
		story.Plan[i].Optional = story.Plan[i].Point.Family == faults.Slot
	}
	j := o.gap.claim.Job
	story.Expects = []Expect{{Kind: ExpectEffects, Job: j, Count: countEffects(o.out.History, j)}}
	return &Twin{
		Story: story, Faults: without(story.Plan, s.Plan, 0), Cut: *o.gap.cut, View: o.gap.view, History: o.out.History,
	}
}

// without returns the faults of p, but those that gone has too, unless they are of
// the family that stays.
func without(p, gone faults.Plan, stays faults.Family) faults.Plan {
	return slices.DeleteFunc(slices.Clone(p), func(e faults.Entry) bool {
		return e.Point.Family != stays && slices.ContainsFunc(gone, func(g faults.Entry) bool {
			return g.Point == e.Point && g.Outcome == e.Outcome
		})
	})
}

// twinName is the name of the twin of a story of this name.
func twinName(name string) string {
	const suffix = "-twin"
	return name[:min(len(name), script.MaxName-len(suffix))] + suffix
}

// checkTwin checks a line that expects a twin for the queue, or none.
func (w *world) checkTwin(e *Expect, r *Result) {
	k := w.story.FindTwin(w.history, faults.Queue, e.Job, e.N)
	found := k != nil && k.Twin != nil
	switch {
	case e.Kind == ExpectTwin && !found && k != nil && k.Told != nil:
		r.miss("the queue was told: " + told(&w.history.Names, k.Told))
	case !found && k != nil && k.Short:
		r.miss("the search for a twin was cut short, after " + script.Count(k.Tried, "history"))
	case e.Kind == ExpectTwin && !found:
		r.miss("no other history that was tried has the same queue view")
	case e.Kind == ExpectNoTwin && found:
		r.miss("there is a twin: " + k.Twin.Wrong())
	}
}

// told names the message that told an observer.
func told(names *model.Names, e *model.Event) string {
	return e.Op.String() + " " + names.Delivery(e) + " was answered " + e.Answer.String()
}

// Wrong says what goes wrong in the twin and not in the run, as stories write it:
// "drop-reply claim J1#1"; "fewer faults" where nothing does.
func (t *Twin) Wrong() string {
	var lines []string
	for _, e := range t.Faults {
		lines = append(lines, t.Story.FaultText(e))
	}
	return cmp.Or(strings.Join(lines, " and "), "fewer faults")
}
