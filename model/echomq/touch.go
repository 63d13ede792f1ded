package echomq

import "github.com/ackgap/ackgap/model"

// Touched lists what the last Apply changed: see model.Toucher. A touch whose
// Before equals its After is no mistake: a field changed that Standing does not
// show (the payload, the error, the state word, the count of lapses).
func (q *Queue) Touched() []model.Touch { return q.touched }

func (q *Queue) begin() {
	q.stamp++
	q.before = q.before[:0]
	q.touched = q.touched[:0]
}

// touch keeps e as it stands, if this Apply has not yet. Every transition calls
// it before its first change of e.
func (q *Queue) touch(e *entry) *entry {
	if e.stamp != q.stamp {
		e.stamp = q.stamp
		q.before = append(q.before, before{e.slot, e.row, e.place})
	}
	return e
}

// finish turns what was kept into touches, and forgets the entries that hold
// nothing any more.
func (q *Queue) finish() {
	for i := range q.before {
		b := &q.before[i]
		e := &q.table.slots[b.slot]
		if e.row != b.row || e.place != b.place {
			q.touched = append(q.touched, model.Touch{ID: e.id})
			t := &q.touched[len(q.touched)-1]
			stand(&t.Before, &b.row, &b.place)
			stand(&t.After, &e.row, &e.place)
		}
		if e.isEmpty() {
			q.table.drop(e)
		}
	}
}
