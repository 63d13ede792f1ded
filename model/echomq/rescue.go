package echomq

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/model"
)

// What two variants do in the place of a reap that finds and moves in one step.

// secondReading is how much later two-clock-reads reads its clock again.
const secondReading = 10 * time.Millisecond

// forgetUntil takes what is over by then out of active, and puts it nowhere.
func (q *Queue) forgetUntil(then model.Time) (moved int) {
	for e := q.lapsed(then); e != nil; e = q.lapsed(then) {
		q.touch(e)
		q.leave(e, active)
		e.setState(statePending)
		moved++
	}
	return moved
}

// rescue makes pending what the rescue before found lapsed, and finds anew. It writes by
// id, and asks neither whether the job is completed by now, whose row it has kept, nor who
// holds it.
func (q *Queue) rescue(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	reply.Moved = len(q.found)
	for i := range q.found {
		q.overwrite(&q.found[i])
	}
	q.found = q.found[:0]
	for _, m := range q.sets[active].members() {
		if m.score > now || len(q.found) == limitOf(req) {
			break
		}
		q.found = append(q.found, remembered{m.id, q.table.of(&m).row})
	}
	slices.SortFunc(q.found, remembered.compare)
	return model.OK
}

func (q *Queue) overwrite(r *remembered) {
	e := q.table.get(r.id)
	if e == nil {
		e = q.table.add(r.id)
	}
	q.touch(e)
	for s := range setCount {
		q.leave(e, s)
	}
	if !e.exists() {
		e.row = r.row
	}
	q.requeue(e)
}
