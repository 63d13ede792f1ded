package model

// The properties of the machine: rows and sets, as the touches tell them.

// onePlace looks at the sets of each id touched.
func onePlace(l *Ledger, m *moment) finding {
	for i := range m.touched {
		if severalSets(m.touched[i].After.Sets) {
			return m.found(hit, l.ids[l.moved[i]].job, "e1 left the id in more than one set", m.event)
		}
	}
	return m.anyTouched()
}

// noGhost looks at the row and sets of each id touched.
func noGhost(l *Ledger, m *moment) finding {
	for i := range m.touched {
		after, job := m.touched[i].After, l.ids[l.moved[i]].job
		switch {
		case !ghostly(after):
		case after.Sets == 0:
			return m.found(hit, job, "e1 left a row that is in no set", m.event)
		default:
			return m.found(hit, job, "e1 left the id in a set, but its row lacks state, attempts or payload", m.event)
		}
	}
	return m.anyTouched()
}

func (m *moment) anyTouched() finding {
	if len(m.touched) == 0 {
		return beside
	}
	return fine
}

// terminalAbsorbing looks at the id that is spoken of and at those that move.
func terminalAbsorbing(l *Ledger, m *moment) finding {
	e := m.event
	if e.Op == OpReprocess || e.Op == OpRemove || e.Op == OpDrain || opens(e) {
		return m.anyTouched()
	}
	if l.ids[l.here].end.terminal() && (e.Op == OpClaim && e.Answer == OK || e.Op.Settles() && e.Answer.Accepted()) {
		return m.revived(l, l.here)
	}
	for i := range m.touched {
		if l.ids[l.moved[i]].end.terminal() && m.touched[i].Before.Sets != m.touched[i].After.Sets {
			return m.revived(l, l.moved[i])
		}
	}
	return m.anyTouched()
}

func (m *moment) revived(l *Ledger, i int32) finding {
	r := &l.ids[i]
	return m.found(hit, r.job, "e1 ended the incarnation for good; e2 settled, delivered or moved it again",
		&l.kept[r.ended], m.event)
}

// admissionHonest compares the answer of an enqueue with the row that stood.
func admissionHonest(l *Ledger, m *moment) finding {
	e := m.event
	if l.here == 0 {
		return beside
	}
	stood := l.ids[l.here].stands.Fields == FullRow
	switch {
	case e.Answer == Duplicate && !stood:
		return m.found(hit, e.Job, "e1 was answered duplicate though no full row of the id existed", e)
	case opens(e) && stood:
		return m.found(hit, e.Job, "e1 was answered as new though a full row of the id existed", e)
	}
	return fine
}

// mintOrder looks, after the claim, at what it left behind in pending.
func mintOrder(l *Ledger, m *moment) finding {
	e := m.event
	if e.Answer != OK || l.here == 0 {
		return beside
	}
	i, ok := l.pending.min()
	if !ok || l.ids[i].id.Compare(e.ID) >= 0 {
		return fine
	}
	passed := &l.ids[i]
	if passed.opened == 0 {
		return m.found(hit, passed.job, "e1 was served an id though a smaller one is pending", e)
	}
	return m.found(hit, passed.job, "e1 enqueued an id that is pending; e2 was served a larger one", &l.kept[passed.opened], e)
}

// workConserving looks at claims that came back with nothing.
func workConserving(l *Ledger, m *moment) finding {
	e := m.event
	if e.Answer != Empty {
		return beside
	}
	if !l.Servable() {
		return fine
	}
	i, _ := l.pending.min()
	return m.found(hit, l.ids[i].job, "e1 was answered empty though an id is pending and the queue is not paused", e)
}
