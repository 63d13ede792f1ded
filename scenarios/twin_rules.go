package scenarios

import (
	"slices"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// Rules are the two things that a queue can do where it cannot know, each done in
// the run and in its twin: deliver the job again, or stay silent. Since the views
// are equal, a queue that is a function of its view does the same in both.
type Rules struct{ Again, Silent Rule }

// Rule is what came of one of them: how often the outside ledger changed under the
// job.
type Rule struct {
	Here, There int  // in the run, in the twin
	IsRun       bool // it is what the queue of the run did
}

// Rules runs the world of s and of its twin under both rules. Where the queue did
// deliver again, its silence is the same world whose pump dies at the cut; where it
// did not, delivering again is the same world with the queue as built, whose pump
// reaps. It is false where k has no twin for the queue, or a world cannot be made
// to follow both rules.
func (s *Story) Rules(h *model.History, k *Knowledge) (r Rules, ok bool) {
	if k.Observer != faults.Queue || k.Twin == nil {
		return r, false
	}
	here, there := s.bare(), k.Twin.Story.bare()
	own := Rule{countEffects(h, k.Job), countEffects(k.Twin.History, k.Job), true}
	again := goesOn(h, k)
	if again != goesOn(k.Twin.History, k) {
		return r, false
	}
	if again {
		r.Again = own
		silence(here, k.Cut.At)
		silence(there, k.Twin.Cut.At)
		r.Silent, ok = k.follow(here, there, false)
		return r, ok
	}
	r.Silent = own
	redeliver(here)
	redeliver(there)
	r.Again, ok = k.follow(here, there, true)
	return r, ok
}

// goesOn reports whether the job is delivered again after the delivery of k.
func goesOn(h *model.History, k *Knowledge) bool { return claimOf(h, k.Job, k.N+1) != nil }

// silence lets nobody take a job back from at on.
func silence(s *Story, at model.Time) {
	s.Plan = unreaped(s.Plan, at)
	s.Dos = slices.DeleteFunc(slices.Clone(s.Dos), func(d Do) bool {
		return d.At >= at && (d.Op == model.OpReap || d.Op == model.OpSweep)
	})
}

// redeliver makes the queue of s one that delivers again what was not settled.
func redeliver(s *Story) {
	s.Queue.Variant = ""
	if s.Queue.ReapEvery == 0 {
		s.Queue.ReapEvery = defaultQueue.ReapEvery
	}
	s.Plan = slices.DeleteFunc(s.Plan, func(e faults.Entry) bool {
		return e.Point.Family == faults.Slot && e.Point.Proc == faults.Pump
	})
}

// follow runs both worlds; false if one of them does not do what the rule says.
func (k *Knowledge) follow(here, there *Story, again bool) (r Rule, ok bool) {
	var effects [2]int
	for i, s := range []*Story{here, there} {
		out, err := s.Run(Options{})
		if err != nil || goesOn(out.History, k) != again {
			return r, false
		}
		effects[i] = countEffects(out.History, k.Job)
	}
	return Rule{Here: effects[0], There: effects[1]}, true
}
