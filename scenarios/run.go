package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	_ "github.com/ackgap/ackgap/model/echomq" // the queue that is built in
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/sim"
)

// Outcome is all that one run of a story came to.
type Outcome struct {
	Story    *Story
	History  *model.History
	End      model.Cause     // Quiet, Horizon or Limit
	Verdicts []model.Verdict // of model.Properties, in their order
	Reach    []model.Verdict // of model.Reach
	Results  []Result        // of the story's expect lines, in file order
	Unfired  []faults.Entry  // faults that never fired and had to
	Missing  []actors.Missing
	Vacuous  []string // named properties that were never evaluated
	Unnamed  []string // default properties that are broken though no line names them and they may not
	Open     []string // default properties that are unknown in a story without expect lines
	Idle     bool     // the story has no job and no do line: nothing happens in it
	Met      Met      // what it all comes to
	Steps    int64    // steps that processes took
	Lost     error    // why the queue could be asked no more; then all verdicts are unknown

	// HistoryDiffers says where the history first differs from the one that the
	// story must leave; empty where it does not, or must leave none.
	HistoryDiffers string
}

// Met says whether a run did what its story expects.
type Met uint8

// The answers. Inconclusive is for what was not seen to the end, and only where
// nothing is known to be wrong.
const (
	Yes Met = iota
	No
	Inconclusive
)

// String returns the word that reports print.
func (m Met) String() string { return [...]string{"met", "not met", "inconclusive"}[m] }

// Options are what a run may be told besides its story.
type Options struct {
	// Strict makes a broken default property a failure though no expect line
	// names it.
	Strict bool
	// Forget keeps no history, only its digest: for campaigns, whose memory must
	// not grow with the length of a run. A story that expects an answer, a twin
	// or a history is refused.
	Forget bool
	// MaxSteps cuts a run after so many steps of its processes; 0 is MaxSteps of
	// this package. A run that is cut is inconclusive.
	MaxSteps int64
}

// Run runs the story once: the same story, the same history, byte for byte. The
// error says why it cannot be run; what a run finds is in its Outcome.
func (s *Story) Run(o Options) (*Outcome, error) {
	r := NewRunner()
	out, err := r.Run(s, o)
	return out, errors.Join(err, r.Close())
}

// Runner runs stories one after the other with the memory of the last. An
// Outcome's History is the runner's own: it is valid until the next Run.
type Runner struct {
	world  world
	opened openedQueue

	seeded     *faults.Seeded     // of the campaign that was run last
	priorities *faults.Priorities // likewise; nil until they are asked for
	points     uint32             // that they may strike
	seededFor  *Campaign

	// What the random world that was run last was made of, and came to.
	drawn   Story
	draws   drawn
	outcome Outcome
}

// openedQueue is the queue of the last run, which the next of its kind resets
// and takes over.
type openedQueue struct {
	protocol, backend, variant string
	queue                      model.Queue
}

// NewRunner returns a Runner.
func NewRunner() *Runner {
	r := &Runner{}
	w := &r.world
	w.history = &model.History{}
	w.judge = model.NewJudge(model.Facts{}, append(model.Properties(), model.Reach()...))
	w.ledger = w.judge.Ledger()
	w.broker.Skew = w.kernel.Skew
	w.config = sim.Config{
		Sink: w, Server: faults.Queue, StallSlot: actors.SlotBeat, ClockSet: w.clockSet, Disturbed: w.judge.Disturbed,
	}
	return r
}

var propertyCount = len(model.Properties())

// Run runs s once.
func (r *Runner) Run(s *Story, o Options) (*Outcome, error) {
	queue, err := r.open(s)
	if err != nil {
		return nil, err
	}
	w := &r.world
	w.history.Reset()
	w.maxSteps = cmp.Or(o.MaxSteps, MaxSteps)
	if w.forget = o.Forget; o.Forget && s.looksBack() {
		return nil, fmt.Errorf("%s: the story expects an answer, a twin or a history, which a run that forgets cannot look up", s.File)
	}
	if err := w.build(s, s.worldNames(), queue); err != nil {
		return nil, err
	}
	end := w.kernel.Run()
	return w.outcome(end, o), nil
}

// looksBack reports whether an expectation of s is about the history itself.
func (s *Story) looksBack() bool {
	return s.HasHistory || slices.ContainsFunc(s.Expects, func(e Expect) bool {
		return e.Kind == ExpectAnswer || e.Kind == ExpectTwin || e.Kind == ExpectNoTwin
	})
}

// open returns an empty queue of the kind that s asks for.
func (r *Runner) open(s *Story) (model.Queue, error) {
	q := &s.Queue
	if reset, ok := r.opened.queue.(model.Resetter); ok && lost(r.opened.queue) == nil &&
		r.opened.protocol == q.Protocol && r.opened.backend == q.Backend && r.opened.variant == q.Variant {
		reset.Reset()
		return r.opened.queue, nil
	}
	body, ok := findBody(q.Protocol, q.Backend)
	if !ok {
		return nil, fmt.Errorf("%s:%d: backend %s of %s is not linked into this program; linked are: %s",
			s.File, q.Line, q.Backend, q.Protocol, linkedBackends(q.Protocol))
	}
	wasLost := r.opened.backend == q.Backend && lost(r.opened.queue) != nil
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("%s: the queue of the story before: %w", s.File, err)
	}
	queue, err := body.OpenOn(q.Backend, q.Variant)
	if err != nil {
		return nil, &Unopened{Backend: q.Backend, WasLost: wasLost, err: fmt.Errorf("%s:%d: %w", s.File, q.Line, err)}
	}
	r.opened = openedQueue{q.Protocol, q.Backend, q.Variant, queue}
	return queue, nil
}

// Unopened is the error of a run whose queue could not be opened. It is no fault of
// the story where a queue was open on the same backend before: the server is lost.
type Unopened struct {
	Backend string // as the story names it
	WasLost bool   // the runner had lost its queue there before
	err     error
}

// Error names the story's queue line, and says why the queue was not opened.
func (u *Unopened) Error() string { return u.err.Error() }

// Unwrap returns the backend's own error, behind the story's line.
func (u *Unopened) Unwrap() error { return u.err }

// Close gives back what the runner's queue holds outside of memory. The runner
// can be used again.
func (r *Runner) Close() error {
	c, ok := r.opened.queue.(model.Closer)
	r.opened = openedQueue{}
	if !ok {
		return nil
	}
	return c.Close()
}

// lost returns why the queue can be asked no more, or nil.
func lost(q model.Queue) error {
	if f, ok := q.(model.Failer); ok {
		return f.Err()
	}
	return nil
}

func linkedBackends(protocol string) string {
	var names []string
	for _, b := range model.Bodies() {
		if b.Protocol == protocol {
			names = append(names, b.Backend)
		}
	}
	return strings.Join(names, ", ")
}

// outcome gathers what the run came to, and holds it against the story.
func (w *world) outcome(end model.Cause, o Options) *Outcome {
	out := &Outcome{}
	w.report(out, end, w.judge.Verdicts())
	out.judge(w, o)
	return out
}

// report gathers in out what the run came to, and these verdicts.
func (w *world) report(out *Outcome, end model.Cause, verdicts []model.Verdict) {
	w.dismiss()
	*out = Outcome{
		Story: w.story, History: w.history, End: end,
		Unfired: w.planned.Unfired(), Missing: w.missing(), Steps: w.kernel.Steps(),
	}
	out.Verdicts, out.Reach = verdicts[:propertyCount:propertyCount], verdicts[propertyCount:]
	if out.Lost = cmp.Or(lost(w.broker.Queue), w.broker.Wrong()); out.Lost != nil {
		out.forgetVerdicts()
	}
}

// missing are the raw requests that found no delivery, but those of `do?` lines.
func (w *world) missing() []actors.Missing {
	return slices.DeleteFunc(slices.Clone(w.broker.Missing()), func(m actors.Missing) bool {
		return slices.ContainsFunc(w.story.Dos, func(d Do) bool { return d.Line == int(m.Line) && d.Optional })
	})
}

// forgetVerdicts makes all that was judged unknown: what a queue answers that is
// lost says nothing about it. Why it was lost is said once.
func (o *Outcome) forgetVerdicts() {
	why := "the queue was lost: " + model.Safe(o.Lost.Error())
	for _, list := range [][]model.Verdict{o.Verdicts, o.Reach} {
		for i := range list {
			list[i] = model.Verdict{Property: list[i].Property, Value: model.Unknown,
				Witness: model.Witness{Says: why}}
			why = "the queue was lost"
		}
	}
}

// judge holds the run against what the story expects: its expect lines where it
// has some, every default property of its queue where it has none.
func (o *Outcome) judge(w *world, opt Options) {
	if o.Lost != nil {
		o.judgeNothing()
		return
	}
	for i := range o.Story.Expects {
		o.Results = append(o.Results, w.check(&o.Story.Expects[i], o))
	}
	if len(o.Story.Expects) == 0 {
		o.defaults()
	} else if opt.Strict {
		o.Unnamed = o.brokenUnnamed()
	}
	for _, r := range o.Results {
		o.take(r.Met)
	}
	if o.Idle = len(o.Story.Jobs)+len(o.Story.Dos) == 0; o.Idle {
		o.take(No)
	}
	if o.End == model.Limit {
		o.take(Inconclusive)
	}
	if o.Story.HasHistory {
		o.HistoryDiffers = firstDifference(o.Story.History, o.HistoryText())
	}
	late := o.End != model.Limit && len(o.Unfired)+len(o.Missing) > 0 // of a run that is cut, they may be still to come
	if late || len(o.Unnamed) > 0 || o.HistoryDiffers != "" {
		o.take(No)
	}
}

// judgeNothing leaves all open that was expected of a run whose queue was lost.
func (o *Outcome) judgeNothing() {
	o.Met = Inconclusive
	o.Unfired, o.Missing = nil, nil
	for i := range o.Story.Expects {
		o.Results = append(o.Results, Result{Expect: &o.Story.Expects[i], Met: Inconclusive, Got: "the queue was lost"})
	}
	for _, v := range o.Verdicts {
		if len(o.Story.Expects) == 0 && o.IsDefault(v.Property) {
			o.Open = append(o.Open, v.Property)
		}
	}
}

// take lets one more answer count: a no outweighs all, then what is open.
func (o *Outcome) take(m Met) {
	if m == No || o.Met == Yes {
		o.Met = m
	}
}

// defaults judges a story that expects nothing in particular, such as a random world
// that was told: what may break there may break here.
func (o *Outcome) defaults() {
	for _, v := range o.Verdicts {
		switch {
		case !o.IsDefault(v.Property):
		case v.Value == model.Broken && !slices.Contains(o.Story.MayBreak, v.Property):
			o.Unnamed = append(o.Unnamed, v.Property)
		case v.Value == model.Unknown:
			o.Open = append(o.Open, v.Property)
			o.take(Inconclusive)
		}
	}
}

// IsDefault reports whether the property is one that the story's queue is to
// hold without being asked.
func (o *Outcome) IsDefault(name string) bool {
	p, ok := model.FindProperty(name)
	if !ok || p.Claim == model.Sometimes {
		return false
	}
	body, _ := findBody(o.Story.Queue.Protocol, o.Story.Queue.Backend)
	variant, _ := body.Variant(o.Story.Queue.Variant)
	return !p.Optional || variant.BoundsDeliveries
}

// brokenUnnamed lists the default properties that are broken and that no
// expect line names.
func (o *Outcome) brokenUnnamed() []string {
	var names []string
	for _, v := range o.Verdicts {
		if v.Value == model.Broken && o.IsDefault(v.Property) && !o.Story.Names(v.Property) {
			names = append(names, v.Property)
		}
	}
	return names
}
