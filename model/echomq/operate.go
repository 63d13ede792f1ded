package echomq

import "github.com/ackgap/ackgap/model"

// remove deletes a job wherever it is, in a worker's hand too.
func (q *Queue) remove(req *model.Request) model.Answer {
	e := q.table.get(req.ID)
	if e == nil || !e.exists() {
		return model.Gone
	}
	q.touch(e)
	for s := pending; s < setCount; s++ {
		q.leave(e, s)
	}
	e.row = row{}
	return model.OK
}

// reprocess puts a dead job back to pending. Attempts and lapses are kept: its
// next failure finds it at the cap again.
func (q *Queue) reprocess(req *model.Request) model.Answer {
	e := q.table.get(req.ID)
	if e == nil || !e.exists() {
		return model.Gone
	}
	if !e.in(dead) {
		return model.NotDead
	}
	q.touch(e)
	q.leave(e, dead)
	e.dropError()
	q.requeue(e)
	return model.OK
}

// updateData replaces the payload, whoever holds the job: no token is asked.
func (q *Queue) updateData(req *model.Request) model.Answer {
	e := q.table.get(req.ID)
	if e == nil || !e.exists() {
		return model.Gone
	}
	q.touch(e).setPayload(req.Payload)
	return model.OK
}

func (q *Queue) readPause() model.Answer {
	if q.paused {
		return model.QueuePaused
	}
	return model.OK
}

// drain deletes pending with the rows of its members, and schedule likewise if
// the request says All. It answers how many members that were; one that stands
// in both sets counts twice.
func (q *Queue) drain(req *model.Request, reply *model.Reply) model.Answer {
	reply.Moved = q.empty(pending)
	if req.All {
		reply.Moved += q.empty(schedule)
	}
	return model.OK
}

func (q *Queue) empty(s set) int {
	n := 0
	for m := q.sets[s].first(); m != nil; m = q.sets[s].first() {
		e := q.touch(q.table.of(m))
		q.leave(e, s)
		e.row = row{}
		n++
	}
	return n
}
