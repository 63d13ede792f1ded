package model

// The mission's properties: no job is lost, no effect happens twice. They are
// about intents, over all ids.

// admittedStaysFound is no-loss while the run goes on.
func admittedStaysFound(l *Ledger, m *moment) finding {
	if m.event.Kind == Admitted {
		return m.lostNow(l, m.event.Job)
	}
	f := beside
	for k := 0; k < len(l.moved) && f != hit; k++ {
		f = max(f, m.lostNow(l, l.ids[l.moved[k]].job))
	}
	return f
}

// lostNow reports a job that was admitted and can no longer be found though
// nothing that may end it did.
func (m *moment) lostNow(l *Ledger, job Job) finding {
	if !l.knows(job) || l.jobs[job].admitted == 0 {
		return beside
	}
	if l.whole(job) || l.jobs[job].completed != 0 || l.endedBy(job, removed) {
		return fine
	}
	admitted := &l.kept[l.jobs[job].admitted]
	if admitted.Seq == m.event.Seq {
		return m.found(hit, job, "e1 told that the job is in, but no id of it is in a set with a full row", admitted)
	}
	return m.found(hit, job, "e1 told that the job is in; since e2 no id of it is in a set with a full row, "+
		"though no settlement ended it and no operator removed it", admitted, m.event)
}

// doneMeansWorked is no-loss at the end. In a story of bare protocol nobody can
// do work, so that nothing follows from its absence.
func doneMeansWorked(l *Ledger, m *moment) finding {
	if len(m.facts.Workers) == 0 {
		return beside
	}
	f := beside
	for j := 1; j < len(l.jobs) && f != hit; j++ {
		if l.Admitted(Job(j)) {
			f = max(f, m.worked(l, Job(j)))
		}
	}
	return f
}

// worked judges the end of one admitted job. One that is gone and was not
// completed has broken the property when it went.
func (m *moment) worked(l *Ledger, job Job) finding {
	state, r := l.State(job), &l.jobs[job]
	cut := m.event.isCut()
	switch {
	case state == StateDead || state == StateRemoved:
		return fine
	case cut && (l.inHand(job) || state != StateCompleted && state != StateLost):
		return m.found(unsure, job, m.event.cutter()+" e2 cut the run while the job of e1 was within reach or in a worker's hand",
			&l.kept[r.admitted], m.event)
	case state == StateCompleted && r.effects == 0:
		return m.found(hit, job, "e1 admitted the job and e2 completed it, but the outside ledger never changed under it",
			&l.kept[r.admitted], &l.kept[r.completed])
	}
	return fine
}

// effectOnce is no-duplicate-effect.
func effectOnce(l *Ledger, m *moment) finding {
	job := m.event.Job
	if m.event.Effect < 2 {
		return fine
	}
	if first := l.job(job).effect; first != 0 {
		return m.found(hit, job, "e1 and e2 changed the outside ledger under one job; the property allows one change",
			&l.kept[first], m.event)
	}
	return m.found(hit, job, "e1 changed the outside ledger once more under a job; the property allows one change", m.event)
}
