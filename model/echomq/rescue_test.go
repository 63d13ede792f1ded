package echomq_test

import (
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
)

// RQ's clean-up takes no limit. However many leases are over at its first reading, all of
// those jobs are pending again, and only what ends between the two readings is lost.
func TestTwoClockReadsLosesOnlyWhatEndsBetweenItsReadings(t *testing.T) {
	const over, between = 250, 3
	for _, limit := range []int{0, 1} {
		q := open(t, "two-clock-reads")
		claim := func(at model.Time) {
			for _, op := range []model.Op{model.OpEnqueue, model.OpClaim} {
				id := model.ID{NS: model.JOB, Value: uint64(at) + 1}
				q.Apply(at, model.Request{Op: op, ID: id, Lease: time.Second})
			}
		}
		for i := range over {
			claim(model.Time(i) * 1_000_000)
		}
		now := model.Time((over - 1 + 1000) * 1_000_000) // the last of them ends
		for i := range between {
			claim(model.Time(over+i) * 1_000_000)
		}
		if r := q.Apply(now, model.Request{Op: model.OpReap, Limit: limit}); r.Moved != over+between {
			t.Errorf("limit %d: %d left active; want %d", limit, r.Moved, over+between)
		}
		pending, lost := 0, 0
		for _, touch := range q.Touched() {
			switch touch.After.Sets {
			case model.InPending:
				pending++
			case 0:
				lost++
			}
		}
		if pending != over || lost != between {
			t.Errorf("limit %d: %d are pending and %d lost; want %d and %d", limit, pending, lost, over, between)
		}
	}
}
