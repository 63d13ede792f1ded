package scenarios

import (
	"iter"
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// maxEarlier is how many earlier deliveries are turned at most, the last ones: each
// is some runs.
const maxEarlier = 8

// turnEarlier yields the histories in which something else befell one of the earlier
// deliveries of the job. Where a consumer does nothing the second time, whether this
// delivery had an effect hangs on those before it. For the contrary of an effect one
// of them is enough; for an effect they must all have had none, so that each is turned
// in the world in which those before it had none and the queue saw the same for
// longest.
func (s *Story) turnEarlier(g *gap, yield func(*other) bool) {
	if g.observer != faults.Queue {
		return
	}
	world := &other{story: s, out: &Outcome{History: g.history}}
	for n := max(1, g.claim.N-maxEarlier); n < g.claim.N; n++ {
		silent, longest := (*other)(nil), -1
		for o := range world.turns(g, n) {
			at := o.of(g)
			if at == nil {
				continue
			}
			if !yield(at) {
				return
			}
			if common := at.gap.view.Common(g.view); !o.gap.fact && common > longest {
				silent, longest = o, common
			}
		}
		if silent != nil && !g.fact {
			world = silent
		}
	}
}

// turns yields the histories of the world of o in which something else befell the nth
// delivery of the job of a gap.
func (o *other) turns(of *gap, n int32) iter.Seq[*other] {
	return func(yield func(*other) bool) {
		claim := claimOf(o.out.History, of.claim.Job, n)
		if claim == nil {
			return
		}
		g, _ := findGap(o.out.History, faults.Queue, claim)
		g.effort = of.effort
		for _, w := range o.story.turned(g) {
			if other := o.story.try(g, w); other != nil && !yield(other) {
				return
			}
		}
	}
}

// turned lists what may have befallen a delivery of a consumer that can do nothing
// the second time: that it never ran, or died or failed with no more than a marker
// written; that it ran; and that it died with all done and nothing told, since a
// marker may come behind the effect.
func (s *Story) turned(g *gap) (list []wrong) {
	w := s.workerOf(g.claim.Proc)
	if w == nil || w.Consumer == actors.Naive || w.Consumer == actors.External {
		return nil
	}
	return crossed(s.elsewhere(g), slices.Concat(neverRan(g, w), ran(g, w), []faults.Plan{{g.crash(model.StepSettle, false)}}))
}
