package exhaust

import (
	"fmt"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// Names are the properties that the explorer judges, by number.
var Names = propertyNames[:]

// Word says what an action is, for messages.
func Word(a explore.Action) string { return fmt.Sprintf("%+v", decode(a)) }

// Walk is a path through the world that model.Judge follows.
type Walk struct {
	w       *World
	s       State
	hits    []explore.Hit
	history *model.History
	judge   *model.Judge
	Seen    map[string]bool // what the explorer reported
}

// NewWalk begins a walk.
func (w *World) NewWalk() *Walk {
	c := *w
	q := &w.story.Queue
	facts := model.Facts{
		SeesClaims: true,
		Toucher:    true, BoundsDeliveries: w.bounds, MaxAttempts: q.MaxAttempts, Lease: q.Lease,
		Queue: faults.Queue, Pump: faults.Pump,
	}
	for k := range w.workers {
		facts.Workers = append(facts.Workers, model.WorkerFacts{Proc: w.proc(uint8(k))})
	}
	k := &Walk{w: &c, history: &model.History{}, Seen: map[string]bool{}}
	k.judge = model.NewJudge(facts, append(model.Properties(), model.Reach()...))
	k.history.Names = w.story.Cast().Names
	c.trace = &tracer{w: &c, hear: k.hear}
	k.s = c.Initial()
	return k
}

func (k *Walk) hear(e model.Event, touched []model.Touch) {
	k.judge.Observe(k.history.Add(e, touched), touched)
	if e.Kind == model.Restarted && e.Proc == faults.Queue {
		k.judge.Ledger().SetPaused(e.Answer == model.QueuePaused)
	}
}

// Actions lists what may come next.
func (k *Walk) Actions() []explore.Action { return k.w.Actions(&k.s, nil) }

// Take takes one action.
func (k *Walk) Take(a explore.Action) {
	k.hits = k.w.Apply(&k.s, a, k.hits[:0])
	for _, h := range k.hits {
		k.Seen[propertyNames[h.Property]] = true
	}
}

// End ends the run for the judge, and returns its verdicts. The second half of no-loss
// is judged by it at the end alone.
func (k *Walk) End() []model.Verdict {
	k.w.trace.record(model.Event{Kind: model.Ended, Cause: model.Quiet}, nil)
	return k.judge.Verdicts()
}

// Verdicts returns those so far.
func (k *Walk) Verdicts() []model.Verdict { return k.judge.Verdicts() }

// State returns where the walk is.
func (k *Walk) State() State { return k.s }

// Text returns the history so far.
func (k *Walk) Text() string { return string(k.history.AppendText(nil)) }

// Tape returns what a world tells of the actions that it carries out from then on.
func (w *World) Tape() (*World, *[]model.Event, func() []model.ID) {
	c := *w
	tape := &[]model.Event{}
	var touched []model.ID
	c.trace = &tracer{w: &c, hear: func(e model.Event, list []model.Touch) {
		*tape = append(*tape, e)
		touched = touched[:0]
		for _, t := range list {
			touched = append(touched, t.ID)
		}
	}}
	return &c, tape, func() []model.ID { return touched }
}

// JobOf returns the number of the job under an id of the world, from 1.
func (w *World) JobOf(id model.ID) model.Job { return model.Job(w.machine.jobOf(id)) + 1 }

// Alike returns the same world under another scope: it shares the states of the
// queue.
func (w *World) Alike(scope Scope) *World {
	c := *w
	c.scope = scope
	c.equal = alike(c.workers)
	return &c
}

// Misnamed returns the same world with a name that no story may have.
func (w *World) Misnamed() *World {
	c := *w
	story := *w.story
	story.Name = "No"
	c.story = &story
	return &c
}

// Normalise returns s as it stands for all that are alike, if it does for any.
func (w *World) Normalise(s State) State {
	if w.scope.Symmetry {
		w.normalise(&s)
	}
	return s
}

// Sleeping returns w as a search with sleep sets sees it.
func (w *World) Sleeping() explore.Sleeper[State] { return &sleeping{World: w} }
