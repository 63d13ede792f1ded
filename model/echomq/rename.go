package echomq

import (
	"slices"

	"github.com/ackgap/ackgap/model"
)

var _ model.Renamer = (*Queue)(nil)

// Rename gives every id, deadline and run-at another name: see model.Renamer. What
// was touched is forgotten.
func (q *Queue) Rename(id func(model.ID) model.ID, deadline, runAt func(model.Time) model.Time) {
	q.before, q.touched = q.before[:0], q.touched[:0]
	q.table.index.Clear()
	for s := range q.sets {
		q.sets[s].clear()
	}
	for i := range q.table.slots {
		if e := &q.table.slots[i]; !e.id.IsZero() {
			e.id = id(e.id)
			q.table.index.Put(e.id, e.slot)
			q.reseat(e, deadline, runAt)
		}
	}
	for _, kept := range [][]remembered{q.past, q.found} {
		for i := range kept {
			kept[i].id = id(kept[i].id)
		}
		slices.SortFunc(kept, remembered.compare)
	}
	if !q.buffer.ID.IsZero() {
		q.buffer.ID = id(q.buffer.ID)
	}
}

// reseat enters e anew into the sets that it is a member of.
func (q *Queue) reseat(e *entry, deadline, runAt func(model.Time) model.Time) {
	for s := pending; s < setCount; s++ {
		if !e.in(s) {
			continue
		}
		switch s {
		case active:
			e.scores[s] = deadline(e.scores[s])
		case schedule:
			e.scores[s] = runAt(e.scores[s])
		}
		q.sets[s].add(&member{e.scores[s], e.id, e.slot})
	}
}
