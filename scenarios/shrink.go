package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// MaxTrials is how many runs shrinking takes at most. A world of the catalogue
// takes some dozens, and rarely a few hundred.
const MaxTrials = 3000

// maxRounds is how often all steps are made at most: two or three times find all
// that there is to find.
const maxRounds = 10

// Shrunk is the smallest story that was found to fail as another one does.
type Shrunk struct {
	Story    *Story    // stands alone: Parse of its Text is the same story; no expectations but what Spare adds
	Property string    // broken in both
	Job      model.Job // whose promise is broken, as Story numbers it; NoJob for none in particular
	Was      string    // what that job is called in the story that was shrunk; "-" for none
	Outcome  *Outcome  // of Story, with its history
	Before   Size
	After    Size
	Runs     int  // how many runs it took, without the last two, which confirm it
	Minimal  bool // no single fault, do line, job, worker or producer can go; false where MaxTrials ended the search

	of *Story // that was shrunk
}

// Size tells how large a story and its run are.
type Size struct{ Events, Faults, Jobs, Workers int }

// ErrNothingBroke is what Shrink says of a story in which there is nothing to
// shrink.
var ErrNothingBroke = errors.New("nothing is broken, so there is nothing to shrink")

// Shrink looks for the smallest story that breaks the property as s does: about
// the same job, and no less in need of a fault. The property "" is the first
// default property that s breaks, and that may not break before one that may. What s
// expects, and what chaos may draw in it, are dropped first. The queue's variant, what workers do with a job and when they
// acknowledge stay: they are what fails.
//
// The same story shrinks to the same story. The error wraps ErrNothingBroke where
// the property holds, and is a *Diverged where two runs of the result differ.
func (s *Story) Shrink(property string) (*Shrunk, error) { return s.shrinkWithin(property, MaxTrials) }

func (s *Story) shrinkWithin(property string, limit int) (*Shrunk, error) {
	k := &shrinker{runner: NewRunner(), name: s.Name, maxSteps: MaxSteps}
	k.trials.Limit = limit
	out, err := k.shrink(s, property)
	return out, errors.Join(err, k.runner.Close())
}

// shrinker is one search for a smaller story.
type shrinker struct {
	runner   *Runner
	name     string
	property int // place in model.Properties
	maxSteps int64
	best     candidate // the smallest yet that fails
	asked    question  // the question that best is the answer to
	needy    bool      // without its faults the first one held
	trials   faults.Trials[question]
	err      error // the first run that could not be made; it ends the search
}

// candidate is a story and the job that must suffer in it: the same one in each,
// whatever its number and name are.
type candidate struct {
	story *Story
	job   model.Job
}

// question is what trials are kept by: a story's text is all that decides its
// run.
type question struct {
	text  string
	job   model.Job
	quiet bool // does it fail and end quiet, rather than: does it fail
}

func (k *shrinker) shrink(s *Story, property string) (*Shrunk, error) {
	bare := s.bare()
	first, err := k.runner.Run(bare, Options{})
	if err != nil {
		return nil, err
	}
	if err := k.choose(first, property, s.MayBreak); err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	before, job := bare.size(first), first.Verdicts[k.property].Witness.Job
	was := bare.Cast().Names.Job(job)
	k.maxSteps = 2*first.Steps + 1000 // what takes far longer is no smaller
	k.best = candidate{bare, job}
	k.needy = !k.fails(k.best.calm(), false)
	k.cutHorizon(first)
	for range maxRounds {
		was := k.asked
		if k.round(); was == k.asked || k.over() {
			break
		}
	}
	if k.err != nil {
		return nil, k.err
	}
	result := &Shrunk{Property: model.Properties()[k.property].Name, Was: was, of: s, Before: before, Minimal: k.isMinimal(), Runs: k.trials.Runs}
	if err := k.confirm(result); err != nil {
		return nil, err
	}
	return result, nil
}

// round makes every kind of step once. Rounds are made until one finds nothing,
// since what goes late can free what stood early; what was tried is known.
func (k *shrinker) round() {
	k.calmNetwork()
	k.steadyWork(upTo(len(k.best.story.Workers)))
	k.dropParts()
	k.dropFaults()
	k.steadyEach()
	k.weaken()
	k.dropOptions()
	k.roundTimes()
	k.rename()
}

// over reports whether the search must end.
func (k *shrinker) over() bool { return k.err != nil || k.trials.Cut() }

// bare returns s without what is expected of it and without what may be drawn.
func (s *Story) bare() *Story {
	b := *s
	b.Expects, b.HasHistory, b.History = nil, false, ""
	b.Chaos, b.NoChaos, b.MayBreak, b.Quiet = nil, false, nil, 0
	if n := &b.Network; s.Quiet > 0 && n.draws() && (n.Until == 0 || s.Quiet < n.Until) {
		n.Until = s.Quiet // which is all that a plain run reads it for
	}
	b.Plan = slices.Clone(s.Plan)
	for i := range b.Plan {
		b.Plan[i].Optional = false
	}
	return &b
}

// size returns how large s and its run are.
func (s *Story) size(out *Outcome) Size {
	return Size{
		Events: len(out.History.Events), Faults: len(s.Plan),
		Jobs: len(s.Jobs) + len(s.Spoken), Workers: len(s.Workers),
	}
}

// choose finds the property that is to stay broken.
func (k *shrinker) choose(out *Outcome, property string, mayBreak []string) error {
	var names []string
	chosen, may := false, false
	for i, v := range out.Verdicts {
		names = append(names, v.Property)
		if v.Value != model.Broken || v.Property != property && (property != "" || !out.IsDefault(v.Property)) {
			continue
		}
		if spared := slices.Contains(mayBreak, v.Property); !chosen || may && !spared {
			k.property, chosen, may = i, true, spared
		}
	}
	switch {
	case chosen:
		return nil
	case property == "":
		return ErrNothingBroke
	case !slices.Contains(names, property):
		return errors.New(script.Unknown("property", property, names))
	}
	return fmt.Errorf("%s is %s here: %w", property, out.verdict(property).Value, ErrNothingBroke)
}

// try takes c for the best if it is another story than that, and fails.
func (k *shrinker) try(c candidate) bool { return k.take(c, false) }

// take is try, of which quiet may demand that the run end quiet.
func (k *shrinker) take(c candidate, quiet bool) bool {
	if k.over() {
		return false
	}
	q := c.question(quiet)
	if q.text == k.asked.text || !k.counts(c, quiet) {
		return false
	}
	story, err := Parse(k.best.story.File, []byte(q.text))
	if err != nil {
		return false
	}
	k.best, k.asked = candidate{story, c.job}, q
	return true
}

// counts reports whether c fails as the first one did: a world that fails without
// its faults, where that one held, is another failure.
func (k *shrinker) counts(c candidate, quiet bool) bool {
	return k.fails(c, quiet) && !(k.needy && k.fails(c.calm(), false))
}

// question returns what is asked about c. The lines that its parts come from are
// forgotten, so that what is alike is written on one.
func (c candidate) question(quiet bool) question {
	return question{string(c.story.unlined().Text()), c.job, quiet}
}

// unlined returns s as if all of it were implied, but for its `do` lines.
func (s *Story) unlined() *Story {
	u := *s
	u.Producers, u.Workers, u.Jobs = slices.Clone(s.Producers), slices.Clone(s.Workers), slices.Clone(s.Jobs)
	for i := range u.Producers {
		u.Producers[i].Line = 0
	}
	for i := range u.Workers {
		u.Workers[i].Line = 0
	}
	for i := range u.Jobs {
		u.Jobs[i].Line = 0
	}
	return &u
}

// draws reports whether the network loses or doubles anything.
func (n *Network) draws() bool { return n.Loss+n.ReplyLoss+n.Duplicate > 0 }

// calm returns c without any mishap: no fault, and nothing that the network draws
// but its latency.
func (c candidate) calm() candidate {
	s := *c.story
	s.Plan = nil
	calm(&s)
	return candidate{&s, c.job}
}

// fails runs c, unless its text was run before, and reports whether it breaks the
// property about its job. It is run as it is written: a text that no parser takes
// fails at nothing.
func (k *shrinker) fails(c candidate, quiet bool) bool {
	q := c.question(quiet)
	return k.trials.Try(q, func() bool {
		story, err := Parse(c.story.File, []byte(q.text))
		if err != nil {
			return false
		}
		out, err := k.runner.Run(story, Options{Forget: true, MaxSteps: k.maxSteps})
		if err != nil {
			k.err = cmp.Or(k.err, err)
			return false
		}
		return out.breaks(k.property, c.job) && (!quiet || out.End == model.Quiet)
	})
}

func (o *Outcome) breaks(property int, job model.Job) bool {
	v := &o.Verdicts[property]
	return v.Value == model.Broken && v.Witness.Job == job
}

// confirm runs the text of the best twice, each time with nothing left from
// another run: it must fail, leave one history, and use each of its faults.
func (k *shrinker) confirm(r *Shrunk) error {
	c := k.best
	c.story.Name = shrunkName(k.name)
	story, err := Parse(c.story.File, c.story.unlined().Text())
	if err != nil {
		return fmt.Errorf("the shrunk story is refused; this is a defect of ackgap:\n%w", err)
	}
	first, err := story.Run(Options{})
	if err != nil {
		return err
	}
	then, err := story.Run(Options{})
	if err != nil {
		return err
	}
	if err := Same(first.History, then.History); err != nil {
		return err
	}
	if !then.breaks(k.property, c.job) || r.Minimal && len(then.Unfired) > 0 {
		return fmt.Errorf("the shrunk story does not fail as it should; this is a defect of ackgap:\n%s", story.Text())
	}
	r.Story, r.Job, r.Outcome, r.After = story, c.job, then, story.size(then)
	return nil
}

// spared lists what may break in s as it is written: what it expects to be broken, or, of
// a random world that was told, what may break there.
func (s *Story) spared() []string {
	if len(s.Expects) == 0 {
		return s.MayBreak
	}
	var list []string
	for i := range s.Expects {
		if e := &s.Expects[i]; e.Kind == ExpectVerdict && e.Verdict == model.Broken {
			list = append(list, e.Properties...)
		}
	}
	return list
}

// Spare notes in the small story what else broke in it and may, as the story that was
// shrunk says: by a line `expect chaos may-break`, as a random world is told with. The
// outcome is judged by it.
func (r *Shrunk) Spare() error {
	spared := r.of.spared()
	for _, v := range r.Outcome.Verdicts {
		if v.Value == model.Broken && v.Property != r.Property && slices.Contains(spared, v.Property) {
			r.Story.MayBreak = append(r.Story.MayBreak, v.Property)
		}
	}
	if len(r.Story.MayBreak) == 0 {
		return nil
	}
	out, err := r.Story.Run(Options{})
	if err != nil {
		return err
	}
	r.Outcome = out
	return nil
}

// shrunkName is the name of what a story of this name shrinks to.
func shrunkName(name string) string {
	const suffix = "-shrunk"
	name = strings.TrimSuffix(name, suffix)
	return name[:min(len(name), script.MaxName-len(suffix))] + suffix
}
