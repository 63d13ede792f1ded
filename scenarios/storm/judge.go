package storm

import "time"

// Outcome is what became of a backlog.
type Outcome uint8

// The outcomes. They are told from the run with the fault and the run without it, of
// the same seed, which draws the same jobs.
//
// A system that keeps up is idle now and then, so that drained means: at some moment
// of the last quarter of the run every open job had a worker, or could have had one.
// A run without a fault that has no such moment is overloaded, fault or no fault.
// Where only the run with the fault has none, it is draining if the mean backlog of the
// last quarter is below that of the quarter before by so much that it would be gone
// within ten more horizons at that pace; else it is stuck, which is the metastable
// failure: the cause is gone, and the backlog keeps itself up.
const (
	Drained Outcome = iota
	Draining
	Stuck
	Overloaded
	Unknown // one of the runs came to its limit of steps
)

var outcomeNames = []string{"drained", "draining", "stuck", "overloaded", "unknown"}

// String returns the word for o.
func (o Outcome) String() string { return outcomeNames[o] }

// patience is how many horizons more a backlog may take that is said to be draining.
const patience = 10

// Judge says what became of the backlog of a fault: without is the run without it.
func (w *Worlds) Judge(without, with Tide) (o Outcome, left time.Duration) {
	switch {
	case without.Cut || with.Cut:
		return Unknown, 0
	case !w.keepsUp(without):
		return Overloaded, 0
	case w.keepsUp(with):
		return Drained, 0
	}
	left = with.left(w.Horizon)
	if left == 0 || left > patience*w.Horizon {
		return Stuck, 0
	}
	return Draining, left
}

// keepsUp reports whether every open job had a worker at some moment of the last
// quarter.
func (w *Worlds) keepsUp(t Tide) bool { return t.Low <= len(w.base.Workers) }
