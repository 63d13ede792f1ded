package exhaust

import "github.com/ackgap/ackgap/model"

// Ended reports whether every job has come to its end, or one has come to the edge
// of the scope: it was claimed as often as it may be and waits to be claimed once
// more, so that nothing is known of what would follow.
func (w *World) Ended(s *State) bool {
	q := w.queue(s)
	all := true
	for i := range w.jobs {
		j, stands := &s.jobs[i], q.stands[i]
		if int(j.n) >= w.scope.Claims && stands.Sets&(model.InPending|model.InActive|model.InSchedule) != 0 {
			return true
		}
		all = all && w.isTerminal(j, stands)
	}
	return all
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
