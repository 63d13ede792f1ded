package echomq

import "github.com/ackgap/ackgap/model"

// remove deletes a job wherever it is, in a worker's hand too.
func (q *Queue) remove(req *model.Request) model.Reply {
	e := q.table.get(req.ID)
	if e == nil || !e.exists() {
		return answer(model.Gone)
	}
	q.touch(e)
	for s := pending; s < setCount; s++ {
		q.leave(e, s)
	}
	e.row = row{}
	return answer(model.OK)
}

// reprocess puts a dead job back to pending. Attempts and lapses are kept: its
// next failure finds it at the cap again.
func (q *Queue) reprocess(req *model.Request) model.Reply {
	e := q.table.get(req.ID)
	if e == nil || !e.exists() {
		return answer(model.Gone)
	}
	if !e.in(dead) {
		return answer(model.NotDead)
	}
	q.touch(e)
	q.leave(e, dead)
	e.dropError()
	q.requeue(e)
	return answer(model.OK)
}

// updateData replaces the payload, whoever holds the job: no token is asked.
func (q *Queue) updateData(req *model.Request) model.Reply {
	e := q.table.get(req.ID)
	if e == nil || !e.exists() {
		return answer(model.Gone)
	}
	q.touch(e).setPayload(req.Payload)
	return answer(model.OK)
}

func (q *Queue) readPause() model.Reply {
	if q.paused {
		return answer(model.QueuePaused)
	}
	return answer(model.OK)
}

// drain deletes pending with the rows of its members, and schedule likewise if
// the request says All. It answers how many members that were; one that stands
// in both sets counts twice.
func (q *Queue) drain(req *model.Request) model.Reply {
	moved := q.empty(pending)
	if req.All {
		moved += q.empty(schedule)
	}
	return model.Reply{Answer: model.OK, Moved: moved}
}

func (q *Queue) empty(s set) int {
	n := 0
	for m, ok := q.sets[s].first(); ok; m, ok = q.sets[s].first() {
		e := q.touch(q.table.of(m))
		q.leave(e, s)
		e.row = row{}
		n++
	}
	return n
}
