package reports

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Run is all that a report says about one run, as a plain value.
type Run struct {
	Story     string // the story's name
	Title     string // the first paragraph of its comment; may be empty
	Seed      uint64
	Queue     string // one line: "echomq lease=30s"
	Consumers string // one line: "w1, w2: naive"

	// History is what happened. It must not be nil; one with names alone (its
	// events were not kept) has no diagram.
	History      *model.History
	Late         []Late          // what a fault delayed, by event; nil where the plan is not known
	Facts        model.Facts     // what the verdicts know of its world
	Verdicts     []model.Verdict // in the order in which the table shows them
	Named        []Named         // what the story says about properties
	Expectations []Expectation   // every `expect` line, in file order
	MayBreak     []string        // what broke and may, in a random world
	Unfired      []Fault         // the faults that never fired and should have
	Missing      []Fault         // `do` lines that named a delivery that there was not
	Reasons      []string        // why else it is not met, a sentence each: "no-ghost is named and was never judged"
	Outcome      scenarios.Met
	Again        string // the exact command that runs it again
	Text         string // the story in full, if it is known; untrusted as all of it
	Known        *Known // whether the queue could have known better; nil where there is nothing to ask
}

// Named is a property that the story names, with the value it expects.
type Named struct {
	Property string
	Expect   model.Value
}

// Expectation is one `expect` line and what became of it.
type Expectation struct {
	Line         int    // in the story's file, from 1
	Text         string // as written: "effects J1 = 2"
	Met          bool
	Inconclusive bool   // not met, because it could not be judged
	Got          string // what was seen instead; may be empty when met
}

// Fault is a line of a story that should have done something.
type Fault struct {
	Line int
	Text string // as written: "drop complete J1#1"
}

// expected returns the value that the story expects of a property.
func (r *Run) expected(property string) (model.Value, bool) {
	for _, n := range r.Named {
		if n.Property == property {
			return n.Expect, true
		}
	}
	return 0, false
}

// metCount returns how many expectations were met.
func (r *Run) metCount() int {
	n := 0
	for _, e := range r.Expectations {
		if e.Met {
			n++
		}
	}
	return n
}

// withValue returns the verdicts of one value, in order, without those of reach:
// not to have seen something is no fault of a run.
func (r *Run) withValue(v model.Value) []*model.Verdict {
	var out []*model.Verdict
	for i := range r.Verdicts {
		if r.Verdicts[i].Value == v && !isReach(&r.Verdicts[i]) {
			out = append(out, &r.Verdicts[i])
		}
	}
	return out
}

// claims counts the verdicts on what a run must keep.
func (r *Run) claims() int {
	n := 0
	for i := range r.Verdicts {
		if !isReach(&r.Verdicts[i]) {
			n++
		}
	}
	return n
}

// isReach reports whether v is about something that a run may show, rather than
// keep.
func isReach(v *model.Verdict) bool {
	p, known := model.FindProperty(v.Property)
	return known && p.Claim == model.Sometimes
}

// isVacuous reports whether v is held only because nothing was there to judge.
func isVacuous(v *model.Verdict) bool { return v.Value == model.Held && v.Evaluations == 0 }
