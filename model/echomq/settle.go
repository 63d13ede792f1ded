package echomq

import "github.com/ackgap/ackgap/model"

// isHeldBy reports whether token is the row's. EchoMQ compares for equality, so
// a token is good from its claim until the next one, lapsed lease or not.
func (q *Queue) isHeldBy(e *entry, token model.Token) bool {
	if q.isBuried(e) {
		return false
	}
	if q.rules.settlesByID {
		return true
	}
	return e.has&model.HasAttempts != 0 && e.fence() == token
}

// complete ends a job: the row is deleted. Only active and pending are searched
// for it.
func (q *Queue) complete(now model.Time, req *model.Request) model.Answer {
	e := q.table.get(req.ID)
	if e == nil || e.has&model.HasAttempts == 0 {
		return q.rules.onSecondComplete()
	}
	if !q.isHeldBy(e, req.Token) || !q.isOpen(e, now, CompletesHeld) {
		if q.rules.freesOthers && e.in(active) {
			q.touch(e)
			q.leave(e, active)
		}
		return model.Stale
	}
	if q.rules.ignoresComplete {
		return model.OK
	}
	q.touch(e)
	if !q.rules.keepsActive || !e.in(active) {
		q.unseat(e)
	}
	if q.rules.remembers() {
		q.remember(e)
	}
	e.row = row{}
	q.completed++
	return model.OK
}

// unseat takes a settled job out of active, and only if it was not there out of
// pending, where a reap may have put it.
func (q *Queue) unseat(e *entry) {
	if !q.leave(e, active) {
		q.leave(e, pending)
	}
}

// retry hands a failed job back: to the schedule at now+Delay, or to dead once
// it has been claimed Max times. A missing row is stale here, not gone.
func (q *Queue) retry(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	e := q.retriable(now, req)
	if e == nil {
		return model.Stale
	}
	q.touch(e)
	if q.rules.missesPending {
		q.leave(e, active)
	} else {
		q.unseat(e)
	}
	e.setError(req.Error)
	if q.rules.isSpent(e.attempts, req.Max) {
		q.bury(e)
		return model.DeadLettered
	}
	return q.postpone(e, after(now, req.Delay), reply)
}

// retriable returns the job if the speaker's token is its row's, else nil.
func (q *Queue) retriable(now model.Time, req *model.Request) *entry {
	e := q.table.get(req.ID)
	switch {
	case e == nil || !e.exists():
		return q.restore(req.ID)
	case !q.isHeldBy(e, req.Token) || !q.isOpen(e, now, RetriesHeld):
		if q.rules.requeuesOthers && e.in(active) {
			q.touch(e)
			q.leave(e, active)
			q.requeue(e)
		}
		return nil
	}
	return e
}

// delay releases a job to the schedule. It searches active only, so a job that
// was reaped meanwhile is in pending and in schedule.
func (q *Queue) delay(now model.Time, req *model.Request, reply *model.Reply, at model.Time) model.Answer {
	if req.ID.NS != model.JOB {
		return model.WrongKind
	}
	e := q.table.get(req.ID)
	if e == nil || !e.exists() {
		return model.Gone
	}
	if !q.isHeldBy(e, req.Token) || !q.isOpen(e, now, DelaysHeld) {
		return model.Stale
	}
	q.touch(e)
	q.leave(e, active)
	return q.postpone(e, at, reply)
}

func (q *Queue) postpone(e *entry, at model.Time, reply *model.Reply) model.Answer {
	e.setState(stateScheduled)
	q.join(e, schedule, at)
	reply.Until = at
	return model.Scheduled
}

// bury dead-letters e.
func (q *Queue) bury(e *entry) {
	e.setState(stateDead)
	q.join(e, dead, 0)
	q.failed++
}

// extend sets the lease's end to now+Lease. It asks neither whether the id is in
// active, nor for the row's state, nor whether the lease has run out.
func (q *Queue) extend(now model.Time, req *model.Request, reply *model.Reply) (a model.Answer) {
	h := model.Holding{ID: req.ID, Token: req.Token}
	a, reply.Until = q.extendOne(now, req, h)
	return a
}

// extendBatch extends each pair under one reading of the clock, and answers the
// pairs that it refused.
func (q *Queue) extendBatch(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	for _, h := range req.Batch {
		if a, _ := q.extendOne(now, req, h); a != model.OK {
			reply.Batch = append(reply.Batch, model.Grant{Holding: h})
		}
	}
	return model.OK
}

func (q *Queue) extendOne(now model.Time, req *model.Request, h model.Holding) (model.Answer, model.Time) {
	e := q.table.get(h.ID)
	if e == nil || e.has&model.HasAttempts == 0 {
		return model.Gone, 0
	}
	if q.isBuried(e) || e.fence() != h.Token && !q.rules.extendsByID || !q.isOpen(e, now, ExtendsHeld) {
		return model.Stale, 0
	}
	until := after(now, q.rules.extension(req.Lease))
	q.lease(q.touch(e), now, until)
	return model.OK, until
}
