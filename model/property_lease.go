package model

import "time"

// The properties of deliveries: who may speak for a job, and until when.

// staleRejected judges by delivery, never by the value of a token: a queue that
// hands out one token twice must not be able to hide behind it.
func staleRejected(l *Ledger, m *moment) finding {
	e := m.event
	if e.N <= 0 || l.here == 0 {
		return beside
	}
	later := &l.deliveries[l.ids[l.here].last]
	if later.n <= e.N {
		return fine
	}
	switch {
	case e.Answer.Accepted():
		return m.found(hit, e.Job, "e1 delivered the job again; e2 speaks for an earlier delivery and was accepted",
			&l.kept[later.claim], e)
	case m.touches(e.ID):
		return m.found(hit, e.Job, "e1 delivered the job again; e2 speaks for an earlier delivery, was refused and changed "+
			"the job's row or sets all the same", &l.kept[later.claim], e)
	}
	return fine
}

func (m *moment) touches(id ID) bool {
	for i := range m.touched {
		if m.touched[i].ID == id {
			return true
		}
	}
	return false
}

// settledOnce looks at every accepted settlement.
func settledOnce(l *Ledger, m *moment) finding {
	e := m.event
	if !e.Answer.Accepted() || e.N <= 0 {
		return beside
	}
	if l.wasPassed(e.Job, e.N) {
		return m.found(hit, e.Job, "e1 settled a delivery that had been settled before: so long ago that the event is kept no more", e)
	}
	first := l.deliveries[l.deliveryAt(e.Job, e.N)].settled
	return m.breach(first != 0, e.Job, "e1 and e2 settled one delivery, and both were accepted", &l.kept[first], e)
}

// tokensRise compares with the last claim of the id, whose token is the highest
// so far unless the property is broken already.
func tokensRise(l *Ledger, m *moment) finding {
	e := m.event
	if e.Answer != OK || l.here == 0 {
		return beside
	}
	last := l.ids[l.here].last
	return m.breach(last != 0 && e.Token <= l.deliveries[last].token, l.ids[l.here].job,
		"e2 was given a token that is not above the one of e1, an earlier claim of the same id",
		&l.kept[l.deliveries[last].claim], e)
}

// singleHolder looks whether the lease of the last claim of the id still runs
// on the server's clock. An earlier one does not, unless the property is broken
// already.
func singleHolder(l *Ledger, m *moment) finding {
	e := m.event
	if e.Answer != OK || l.here == 0 {
		return beside
	}
	last := l.ids[l.here].last
	switch {
	case e.Op == OpClaim && last != 0 && !l.over(last):
		return m.found(hit, l.ids[l.here].job,
			"e1 leased the job until an instant that the server's clock has not reached; e2 leased it to a second holder",
			&l.kept[l.deliveries[last].claim], e)
	case m.isOddLease():
		return m.oddLease()
	case e.Op == OpClaim:
		return fine
	}
	return beside
}

// isOddLease reports whether the queue says that a lease ends at another instant than
// it was asked for. A queue may round to whole milliseconds, up or down. An extension by
// less that the row confirms is what it is: whether it may be is deadline-monotone's.
func (m *moment) isOddLease() bool {
	e := m.event
	if !m.facts.AsksLease || e.Answer != OK || e.Op == OpExtend && e.Until > e.Server && m.rowEnds(e.Until) {
		return false
	}
	off := e.Until - e.Server.Add(m.facts.Lease) // two far instants may wrap around, and are odd
	return off <= -Time(time.Millisecond) || off >= Time(time.Millisecond)
}

// rowEnds reports whether the event left the row of its id leased until then.
func (m *moment) rowEnds(until Time) bool {
	for i := range m.touched {
		if t := &m.touched[i]; t.ID == m.event.ID {
			return t.After.Sets&InActive != 0 && t.After.Deadline == until
		}
	}
	return false
}

func (m *moment) oddLease() finding {
	return m.found(unsure, m.event.Job, "e1 was answered with an end of the lease (Until) that is not the server's clock plus "+
		"the lease that was asked for, "+m.facts.Lease.String()+", so that nobody knows until when it runs", m.event)
}

// deadlineMonotone looks at accepted extensions of leases that still run.
func deadlineMonotone(l *Ledger, m *moment) finding {
	found := extendedEarlier(l, m)
	if found != hit && m.isOddLease() {
		return m.oddLease()
	}
	return found
}

func extendedEarlier(l *Ledger, m *moment) finding {
	e := m.event
	if e.Op != OpExtend || e.Answer != OK || e.N <= 0 {
		return beside
	}
	d := l.deliveryAt(e.Job, e.N)
	if d == 0 || l.over(d) {
		return beside
	}
	return m.breach(e.Until < l.deliveries[d].until, e.Job,
		"e1 set the deadline of the lease; e2 extended it to an earlier one", &l.kept[l.deliveries[d].set], e)
}

// attemptsBounded judges the answer to a retry by the cap that it named: by the row's
// attempts, which the queue counts, and by the claims that it granted, which it cannot
// talk away.
func attemptsBounded(l *Ledger, m *moment) finding {
	e := m.event
	if !e.Answer.Accepted() {
		return beside
	}
	attempts, known := m.attempts()
	spent := attempts >= Token(e.Max)
	switch {
	case !known:
	case e.Answer == DeadLettered && !spent:
		return m.found(hit, e.Job, "e1 was answered dead though its attempts are below the cap that it named", e)
	case e.Answer == Scheduled && spent:
		return m.found(hit, e.Job, "e1 was scheduled once more though its attempts have reached the cap that it named", e)
	}
	return attemptsCounted(l, m)
}

// attemptsCounted is attemptsBounded by the claims of an incarnation whose beginning was
// seen and whose end was not: what comes back after it is a ghost, and begins anew.
func attemptsCounted(l *Ledger, m *moment) finding {
	e := m.event
	r := &l.ids[l.here]
	if !m.facts.SeesClaims || l.here == 0 || r.opened == 0 || r.claims == 0 || r.end != notEnded {
		return fine
	}
	switch spent := r.claims >= e.Max; {
	case e.Answer == DeadLettered && !spent:
		return m.found(hit, r.job, "e1 opened the incarnation; e2 was answered dead though the job had been claimed fewer times by then than the cap that it named", &l.kept[r.opened], e)
	case e.Answer == Scheduled && spent:
		return m.found(hit, r.job, "e1 opened the incarnation; e2 was scheduled once more though the job had been claimed as often by then as the cap that it named", &l.kept[r.opened], e)
	}
	return fine
}

// attempts returns those of the row that the event speaks of. Where the queue does not
// tell, they are the token, if tokens count them: a queue with a fence has compared it.
func (m *moment) attempts() (n Token, known bool) {
	for i := range m.touched {
		if m.touched[i].ID == m.event.ID {
			return m.touched[i].After.Attempts, true
		}
	}
	return m.event.Token, m.facts.TokensCount
}

// deliveriesBounded is judged where the queue declares it.
func deliveriesBounded(l *Ledger, m *moment) finding {
	if !m.facts.BoundsDeliveries || m.event.Answer != OK || l.here == 0 {
		return beside
	}
	r := &l.ids[l.here]
	if int(r.claims) < m.facts.MaxAttempts {
		return fine
	}
	if r.opened == 0 {
		return m.found(hit, r.job, "e1 is a claim above max-attempts in one incarnation", m.event)
	}
	return m.found(hit, r.job, "e1 opened the incarnation; e2 is a claim above max-attempts in it", &l.kept[r.opened], m.event)
}
