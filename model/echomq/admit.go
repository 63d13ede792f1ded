package echomq

import (
	"errors"
	"fmt"

	"github.com/ackgap/ackgap/model"
)

// admit is the three enqueues: the kind is asked before the row. Duplicate means
// only that a row with this id stands now; what was completed, removed or
// drained is admitted afresh.
func (q *Queue) admit(req *model.Request, reply *model.Reply, st state, s set, score model.Time) model.Answer {
	if req.ID.NS != model.JOB {
		return model.WrongKind
	}
	e := q.table.get(req.ID)
	if e != nil && e.exists() && !q.rules.readmits {
		return model.Duplicate
	}
	if q.rules.neverForgets && q.recall(req.ID) != nil {
		return model.Duplicate
	}
	if e == nil {
		e = q.table.add(req.ID)
	}
	q.touch(e)
	e.row = row{}
	e.setState(st)
	e.setAttempts(0)
	e.setPayload(req.Payload)
	q.join(e, s, score)
	if s == schedule {
		reply.Until = score
		return model.Scheduled
	}
	return model.Enqueued
}

// EnqueueMany is the host-side helper of that name: one enqueue after the other
// at the instant now, not atomic as a whole. It returns the replies in the order
// of reqs.
//
// An empty list is an error, and so is a verb that admits nothing (found before
// anything is sent). A request that the queue answers UnknownAnswer ends the
// list with an error; what came before it is done, and its replies are returned.
func EnqueueMany(q model.Queue, now model.Time, reqs []model.Request) ([]model.Reply, error) {
	if len(reqs) == 0 {
		return nil, errors.New("echomq: enqueue-many: the list is empty; give at least one job")
	}
	for i := range reqs {
		if !reqs[i].Op.Admits() {
			return nil, fmt.Errorf("echomq: enqueue-many: item %d is %q; only enqueues may stand in the list", i, reqs[i].Op)
		}
	}
	replies := make([]model.Reply, 0, len(reqs))
	for i, req := range reqs {
		reply := q.Apply(now, req)
		replies = append(replies, reply)
		if reply.Answer == model.UnknownAnswer {
			return replies, fmt.Errorf("echomq: enqueue-many: item %d of %d: %q; the items before it are enqueued",
				i, len(reqs), reply.Err)
		}
	}
	return replies, nil
}
