package argue

import (
	"errors"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// DefaultRuns is in how many random worlds a change is tried if nothing else is
// asked for.
const DefaultRuns = 10_000

// Options are what Explain may be told besides the story.
type Options struct {
	Property string           // that is to be explained; "" is the first default property that breaks
	World    *scenarios.Story // whose random worlds count; nil is the story itself
	Runs     uint64           // how many worlds each change is tried in: the seeds 1 to Runs; 0 is DefaultRuns
	Sweep    Sweep            // who runs them; nil is InTurn
}

// Sweep runs the worlds of the seeds 1 to runs of a campaign and adds them up. It
// may end early once enough says so of the sum of the lowest seeds, or for reasons
// of its own. What is told of a change depends on how far it went, and never on
// who ran which world.
type Sweep func(c *scenarios.Campaign, runs uint64, enough func(*scenarios.Tally) bool) (*scenarios.Tally, error)

// Explanation is what was found out about a failure.
type Explanation struct {
	Small *scenarios.Shrunk // the smallest story that fails so
	Needs []Need            // its faults and `do` lines, in the order of its text
	Knobs []Knob            // its options
	Tried int               // how many runs of the small story these two took

	World string  // the name of the story whose random worlds count
	Lent  bool    // what is drawn in them are the chaos lines of the reference story
	Runs  uint64  // how many worlds each change was to be tried in
	AsIs  Trial   // with nothing changed
	Fixes []Trial // single changes: those that fix it first, then by how many worlds break
	Pairs []Trial // two changes that fix it together, looked for where no single one does

	PairsTried int
	Cut        bool // the Sweep ended early for reasons of its own
}

// Explain finds out what the failure of s needs and what fixes it. The same story
// gives the same explanation. The error is that of scenarios.Story.Shrink where
// there is nothing to explain: it wraps scenarios.ErrNothingBroke then.
func Explain(s *scenarios.Story, o Options) (*Explanation, error) {
	small, err := s.Shrink(o.Property)
	if err != nil {
		return nil, err
	}
	if o.World == nil {
		o.World = s
	}
	if o.Runs == 0 {
		o.Runs = DefaultRuns
	}
	if o.Sweep == nil {
		o.Sweep = InTurn
	}
	a := &arguer{
		runner: scenarios.NewRunner(), small: small, world: worldOf(o.World), runs: o.Runs, sweep: o.Sweep,
		out: &Explanation{Small: small, World: o.World.Name, Lent: len(o.World.Chaos) == 0, Runs: o.Runs},
	}
	err = a.argue()
	return a.out, errors.Join(err, a.runner.Close())
}

// arguer makes one explanation.
type arguer struct {
	runner *scenarios.Runner
	small  *scenarios.Shrunk
	world  *scenarios.Story
	runs   uint64
	sweep  Sweep
	tried  int // runs of the small story
	out    *Explanation
}

func (a *arguer) argue() error {
	for _, part := range []func() error{a.findNeeds, a.turnKnobs, a.tryChanges, a.tryPairs} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// worldOf returns s as the family of its random worlds. That something may break
// in them is no excuse here, and a story without chaos of its own has that of the
// reference.
func worldOf(s *scenarios.Story) *scenarios.Story {
	w := *s
	w.MayBreak, w.NoChaos = nil, false
	return &w
}

// Answer is what came of the small story after something was changed in it.
type Answer uint8

// The answers.
const (
	Fails Answer = iota // its property breaks about its job, as before
	Moves               // that does not, but a default property does
	Open                // nothing breaks, and a default property is unknown
	Holds               // every default property holds
)

// String returns the word that reports print.
func (a Answer) String() string { return [...]string{"fails", "moves", "unknown", "holds"}[a] }

// Result is what came of one changed story, in short.
type Result struct {
	Answer     Answer
	Properties []string // Moves: the default properties that break; Open: that are unknown
	Unfired    int      // how many faults found no place in it
	Relieved   bool     // one more worker was there, since all others died
}

// same reports whether two results say the same of the properties.
func (r *Result) same(o *Result) bool {
	if r.Answer != o.Answer || len(r.Properties) != len(o.Properties) {
		return false
	}
	for i := range r.Properties {
		if r.Properties[i] != o.Properties[i] {
			return false
		}
	}
	return true
}

// How far a changed story is followed. A longer lease may bring to light after
// the horizon what the story as it was showed before.
const (
	further  = 24 * time.Hour
	maxSteps = 100_000
)

// run runs a changed story and judges it. What is still in flight at its horizon
// is followed on.
func (a *arguer) run(s *scenarios.Story) (*scenarios.Outcome, *Result, error) {
	out, r, err := a.runOnce(s)
	if err != nil || r.Answer == Fails || out.End != model.Horizon {
		return out, r, err
	}
	long := *s
	long.Horizon += further
	return a.runOnce(&long)
}

func (a *arguer) runOnce(s *scenarios.Story) (*scenarios.Outcome, *Result, error) {
	a.tried++
	out, err := a.runner.Run(s, scenarios.Options{MaxSteps: maxSteps})
	if err != nil {
		return nil, nil, err
	}
	return out, a.judge(out), nil
}

// judge says in short what out came to.
func (a *arguer) judge(out *scenarios.Outcome) *Result {
	r := &Result{Answer: Holds, Unfired: len(out.Unfired)}
	var unknown []string
	for _, v := range out.Verdicts {
		switch {
		case v.Value == model.Broken && v.Property == a.small.Property && v.Witness.Job == a.small.Job:
			return &Result{Answer: Fails, Unfired: r.Unfired}
		case v.Value == model.Broken && out.IsDefault(v.Property):
			r.Answer, r.Properties = Moves, append(r.Properties, v.Property)
		case v.Value == model.Unknown && out.IsDefault(v.Property):
			unknown = append(unknown, v.Property)
		}
	}
	if r.Answer == Holds && (len(unknown) > 0 || out.End == model.Limit) {
		r.Answer, r.Properties = Open, unknown
	}
	return r
}
