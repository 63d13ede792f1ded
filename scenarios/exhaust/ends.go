package exhaust

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// Outlook says what is left to be done in s: nothing once every job has come to its
// end. A state is at the edge of the scope where the next claim would be served a job
// that was claimed as often as it may be.
func (w *World) Outlook(s *State) explore.Outlook {
	q := w.queue(s)
	o := offers{w: w, s: s, q: q}
	if q.first >= 0 && !q.paused && !o.mayClaim() {
		return explore.Edge
	}
	for i := range w.jobs {
		if !w.isTerminal(&s.jobs[i], q.stands[i]) {
			return explore.Open
		}
	}
	return explore.End
}

// isTerminal reports whether a job is dead, removed or completed, or was never let
// in by anybody and never will be.
func (w *World) isTerminal(j *job, stands model.Standing) bool {
	switch {
	case stands.Sets == model.InDead && stands.Fields == model.FullRow:
		return true
	case stands.Sets != 0 || stands.Fields != 0:
		return false
	case j.end == removed || j.has(isCompleted):
		return true
	}
	return !j.has(isAdmitted) && j.has(isSent)
}
