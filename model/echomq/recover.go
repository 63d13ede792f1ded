package echomq

import "github.com/ackgap/ackgap/model"

// promote moves due jobs from schedule to pending, lowest run-at first.
func (q *Queue) promote(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	for reply.Moved < limitOf(req) {
		m := q.sets[schedule].first()
		if m == nil || m.score > now {
			break
		}
		e := q.touch(q.table.of(m))
		q.leave(e, schedule)
		if q.rules.resetsAttempts {
			e.setAttempts(0)
		}
		q.requeue(e)
		reply.Moved++
	}
	return model.OK
}

// reap moves jobs whose lease has run out from active back to pending, oldest
// deadline first. It cannot know whether their work ran, and never gives up:
// attempts do not count here. EchoMQ's own reap takes no limit but its 100. Moved counts
// what leaves active, also where a variant puts it nowhere.
func (q *Queue) reap(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	if q.rules.rescues {
		return q.rescue(now, req, reply)
	}
	// RQ's clean-up takes no limit: what its second reading deletes was not over at the first.
	for reply.Moved < limitOf(req) || q.rules.readsTwice {
		e := q.lapsed(now)
		if e == nil {
			break
		}
		q.touch(e)
		q.leave(e, active)
		if q.rules.resetsToken {
			e.setAttempts(0)
		}
		if q.rules.reapForgets {
			e.setState(statePending)
		} else {
			q.requeue(e)
		}
		reply.Moved++
	}
	if q.rules.readsTwice {
		reply.Moved += q.forgetUntil(now.Add(secondReading))
	}
	return model.OK
}

// sweep is the stalled check: it moves what reap moves, but counts the lapses of
// each job and dead-letters one that has lapsed Max times (the first time, with
// a Max of 1 or less).
func (q *Queue) sweep(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	for reply.Moved+reply.Dead < limitOf(req) {
		e := q.lapsed(now)
		if e == nil {
			break
		}
		q.touch(e)
		q.leave(e, active)
		e.setStalled(e.stalled + 1)
		if e.stalled >= req.Max || q.rules.isWorn(e.attempts) {
			e.setError("stalled")
			q.bury(e)
			reply.Dead++
		} else {
			q.requeue(e)
			reply.Moved++
		}
	}
	return model.OK
}

// lapsed returns the job of active whose lease ran out first, if now is at or
// past its deadline.
func (q *Queue) lapsed(now model.Time) *entry {
	if q.rules.reapsEarly {
		return q.halfLapsed(now)
	}
	m := q.firstLeased()
	if m == nil || m.score > now {
		return nil
	}
	return q.table.of(m)
}

// firstLeased returns the member of active whose lease ends first. The variant that marks
// leases later does not see those that are not yet.
func (q *Queue) firstLeased() *member {
	if !q.rules.marksLater {
		return q.sets[active].first()
	}
	for i := range q.sets[active].members() {
		if m := &q.sets[active].members()[i]; !q.table.of(m).place.unmarked {
			return m
		}
	}
	return nil
}

// halfLapsed is lapsed for the variant that waits for half of a lease only.
func (q *Queue) halfLapsed(now model.Time) *entry {
	for _, m := range q.sets[active].members() {
		if e := q.table.of(&m); m.score-e.place.lease/2 <= now {
			return e
		}
	}
	return nil
}

// requeue makes e pending. The state is written without a look at the row, so
// that an id without one gets a row that holds nothing else. A variant that bounds
// claims buries a job that had its share instead, whoever asks: a pump, or an
// operator's reprocess.
func (q *Queue) requeue(e *entry) {
	if q.rules.isWorn(e.attempts) {
		e.setError("max-claims")
		q.bury(e)
		return
	}
	q.join(e, pending, 0)
	e.setState(statePending)
}

// NextDue returns when reap or sweep could first find a lapsed lease, and
// promote a due job.
func (q *Queue) NextDue() (lapse, run model.Time) {
	lapse, run = model.Never, model.Never
	if m := q.firstLeased(); m != nil {
		lapse = m.score
	}
	if m := q.sets[schedule].first(); m != nil {
		run = m.score
	}
	switch {
	case len(q.found) > 0:
		lapse = 0
	case q.rules.readsTwice && lapse != model.Never:
		lapse = lapse.Add(-secondReading)
	case q.rules.reapsEarly:
		for _, m := range q.sets[active].members() {
			half := m.score - q.table.of(&m).place.lease/2
			lapse = min(lapse, -(-half).FloorMillis()) // rounded up: the clock shows whole milliseconds
		}
	}
	return lapse, run
}
