package echomq_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// TestARenamedQueueGoesOnAsBefore renames ids and instants by an offset, half way
// through, and lets both queues go on: one in the old names, the other in the new.
func TestARenamedQueueGoesOnAsBefore(t *testing.T) {
	const shift = model.Time(time.Hour)
	later := func(at model.Time) model.Time { return at + shift }
	next := func(id model.ID) model.ID { id.Value += 100; return id }
	for _, variant := range []string{"", "phantom-duplicate", "early-expiry", "rescue-overwrites", "prefetch-expires"} {
		q, err := echomq.New(variant)
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(4) {
			q.Apply(0, model.Request{Op: model.OpEnqueue, ID: model.ID{NS: model.JOB, Value: i}})
		}
		for i := range model.Time(3) {
			q.Apply(i*model.Time(time.Second), model.Request{Op: model.OpClaim, Lease: 30 * time.Second})
		}
		q.Apply(0, model.Request{Op: model.OpComplete, ID: model.ID{NS: model.JOB, Value: 0}, Token: 1})
		q.Apply(0, model.Request{Op: model.OpRetry, ID: model.ID{NS: model.JOB, Value: 1}, Token: 1, Delay: time.Second, Max: 3})
		q.Apply(model.Time(32*time.Second), model.Request{Op: model.OpReap})

		r := q.Clone().(*echomq.Queue)
		r.Rename(next, later, later)
		for k, op := range []model.Op{model.OpEnqueue, model.OpPromote, model.OpReap, model.OpClaim, model.OpComplete} {
			req := model.Request{Op: op, ID: model.ID{NS: model.JOB, Value: 0}, Lease: time.Minute}
			now := model.Time(40+k) * model.Time(time.Second)
			want := q.Apply(now, req)
			req.ID = next(req.ID)
			got := r.Apply(now+shift, req)
			if want.ID != (model.ID{}) {
				want.ID, want.Until = next(want.ID), later(want.Until)
			}
			if got.Answer != want.Answer || got.Grant != want.Grant || got.Moved != want.Moved {
				t.Errorf("%q: %v was answered %+v, and in other names %+v", variant, op, want, got)
			}
		}
		q.Rename(next, later, later)
		if !bytes.Equal(q.AppendState(nil), r.AppendState(nil)) {
			t.Errorf("%q: renamed before or after, the state is not the same", variant)
		}
	}
}
