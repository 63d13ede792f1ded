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
// id, which is the earliest minted; nil if there is none.
func (q *Queue) next() *member {
	if q.rules.lifo {
		return q.sets[pending].last()
	}
	return q.sets[pending].first()
}

func (q *Queue) claim(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	if q.hides() {
		return model.Empty
	}
	if !q.buffer.ID.IsZero() {
		return q.unbuffer(now, req, reply)
	}
	m := q.next()
	if m == nil {
		return model.Empty
	}
	q.grant(m, now, req, &reply.Grant)
	if q.rules.prefetches {
		q.prefetch(now, req)
	}
	return model.OK
}

// prefetch leases one job more, for the variant that keeps it for the next claim.
func (q *Queue) prefetch(now model.Time, req *model.Request) {
	if m := q.next(); m != nil {
		q.grant(m, now, req, &q.buffer)
	}
}

// unbuffer hands out the job that was taken beforehand, for the variant that does so: as
// if its lease began now, whatever its end is in truth and whatever befell it meanwhile.
func (q *Queue) unbuffer(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	reply.Grant, q.buffer = q.buffer, model.Grant{}
	reply.Until = after(now, req.Lease)
	return model.OK
}

// claimBatch serves several jobs under one reading of the clock.
func (q *Queue) claimBatch(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	k := min(limitOf(req), len(q.sets[pending].members()))
	if k == 0 || q.hides() {
		return model.Empty
	}
	reply.Batch = make([]model.Grant, k)
	for i := range reply.Batch {
		q.grant(q.next(), now, req, &reply.Batch[i])
	}
	return model.OK
}

// grant leases the job m, and writes into g what the claim is answered. It does not ask
// whether there is a row: counting the attempt makes one.
func (q *Queue) grant(m *member, now model.Time, req *model.Request, g *model.Grant) {
	e := q.touch(q.table.of(m))
	q.leave(e, pending)
	e.setAttempts(e.attempts + 1)
	e.setState(stateActive)
	q.mint(e, now)
	until := after(now, req.Lease)
	q.lease(e, now, until)
	e.place.unmarked = q.rules.marksLater
	g.ID, g.Token, g.Until = e.id, e.fence(), until
	g.Payload, g.Bare = e.payload, e.has&model.HasPayload == 0
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
