package echomq

import "github.com/ackgap/ackgap/model"

// batch is how many jobs promote, reap and sweep move at most when the request
// names no limit: the 100 of EchoMQ's pump, reap script and stalled check. A
// claim-batch always names its size on EchoMQ's wire; without one it is 100 too.
const batch = 100

func limitOf(req *model.Request) int {
	if req.Limit == 0 {
		return batch
	}
	return req.Limit
}

// next returns the member of pending that the next claim is served: the smallest
// id, which is the earliest minted.
func (q *Queue) next() (member, bool) {
	if q.rules.lifo {
		return q.sets[pending].last()
	}
	return q.sets[pending].first()
}

func (q *Queue) claim(now model.Time, req *model.Request) model.Reply {
	if q.hides() {
		return answer(model.Empty)
	}
	if !q.buffer.ID.IsZero() {
		return q.unbuffer(now, req)
	}
	m, ok := q.next()
	if !ok {
		return answer(model.Empty)
	}
	reply := model.Reply{Answer: model.OK, Grant: q.grant(m, now, req)}
	if q.rules.prefetches {
		q.prefetch(now, req)
	}
	return reply
}

// prefetch leases one job more, for the variant that keeps it for the next claim.
func (q *Queue) prefetch(now model.Time, req *model.Request) {
	if m, ok := q.next(); ok {
		q.buffer = q.grant(m, now, req)
		q.buffer.Until = 0 // which the buffer does not keep
	}
}

// unbuffer hands out the job that was taken beforehand, for the variant that does so: as
// if its lease began now, and whatever befell it meanwhile.
func (q *Queue) unbuffer(now model.Time, req *model.Request) model.Reply {
	g := q.buffer
	g.Until, q.buffer = after(now, req.Lease), model.Grant{}
	return model.Reply{Answer: model.OK, Grant: g}
}

// claimBatch serves several jobs under one reading of the clock.
func (q *Queue) claimBatch(now model.Time, req *model.Request) model.Reply {
	k := min(limitOf(req), len(q.sets[pending].members()))
	if k == 0 || q.hides() {
		return answer(model.Empty)
	}
	grants := make([]model.Grant, k)
	for i := range grants {
		m, _ := q.next()
		grants[i] = q.grant(m, now, req)
	}
	return model.Reply{Answer: model.OK, Batch: grants}
}

// grant leases the job m. It does not ask whether there is a row: counting the
// attempt makes one.
func (q *Queue) grant(m member, now model.Time, req *model.Request) model.Grant {
	e := q.touch(q.table.of(m))
	q.leave(e, pending)
	e.setAttempts(e.attempts + 1)
	e.setState(stateActive)
	q.mint(e, now)
	until := after(now, req.Lease)
	q.lease(e, now, until)
	e.place.unmarked = q.rules.marksLater
	return model.Grant{
		Holding: model.Holding{ID: m.id, Token: e.fence()},
		Until:   until,
		Payload: e.payload,
		Bare:    e.has&model.HasPayload == 0,
	}
}

// lease makes e active until then.
func (q *Queue) lease(e *entry, now, until model.Time) {
	q.join(e, active, until)
	if q.rules.reapsEarly {
		e.place.lease = until - now
	}
}

// hides answers for the variant whose claims are every second time blind to a
// pending job. It changes the state even when it answers false.
func (q *Queue) hides() bool {
	if !q.rules.hidesPending || len(q.sets[pending].members()) == 0 {
		return false
	}
	was := q.isHiding
	q.isHiding = !was
	return was
}
