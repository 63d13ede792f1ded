package exhaust

import (
	"fmt"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// Names are the properties that the explorer judges, by number.
var Names = propertyNames[:]

// Word says what an action is, for messages.
func Word(a explore.Action) string { return fmt.Sprintf("%+v", decode(a)) }

// Walk is a path through the world that model.Judge follows.
type Walk struct {
	w    *World
	s    State
	hits []explore.Hit
	Seen map[string]bool // what the explorer reported
}

// NewWalk begins a walk.
func (w *World) NewWalk() *Walk {
	c := *w
	c.trace = newTracer(&c)
	return &Walk{w: &c, s: c.Initial(), Seen: map[string]bool{}}
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

// Ends the run for the judge, and returns its verdicts. The second half of no-loss is
// judged by it at the end alone.
func (k *Walk) End() []model.Verdict {
	k.w.trace.record(model.Event{Kind: model.Ended, Cause: model.Quiet}, nil)
	return k.w.trace.judge.Verdicts()
}

// Verdicts returns those so far.
func (k *Walk) Verdicts() []model.Verdict { return k.w.trace.judge.Verdicts() }

// State returns where the walk is.
func (k *Walk) State() State { return k.s }

// Text returns the history so far.
func (k *Walk) Text() string { return string(k.w.trace.history.AppendText(nil)) }
