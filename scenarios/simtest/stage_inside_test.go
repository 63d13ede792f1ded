package simtest

import (
	"context"
	"runtime"
	"testing"

	"github.com/ackgap/ackgap/scenarios/actors"
)

// TestWorldsInARowShareCoroutines, and leave none behind when the row is over.
func TestWorldsInARowShareCoroutines(t *testing.T) {
	c := NewConsumer(t, func(ctx context.Context, job Job) error { return job.Sink().ApplyKey(ctx, job.ID) })
	before := runtime.NumGoroutine()
	c.inARow(func() {
		for seed := range uint64(30) {
			if _, err := c.World(seed); err != nil {
				t.Fatal(err)
			}
			if kept := runtime.NumGoroutine() - before; kept < 1 || kept > 2 {
				t.Fatalf("seed %d: %d coroutines of two workers wait for the next world", seed, kept)
			}
		}
	})
	if left := runtime.NumGoroutine() - before; left != 0 {
		t.Errorf("%d coroutines are left behind", left)
	}
}

// TestARowEndsWhatStandsStillInIt, where what is the user's is called by a check that is
// open to others.
func TestARowEndsWhatStandsStillInIt(t *testing.T) {
	door := &doorkeeper{}
	c := NewConsumer(t, func(ctx context.Context, job Job) error { return job.Sink().Apply(ctx) },
		With("door", func() (Resource, error) { return door, nil }))
	door.check = &c.check
	c.inARow(func() {
		o := c.opened[0]
		o.Reset()
		if call := o.Begin(actors.Delivery{Worker: 1}).Go(actors.Wake{}); call.Step != Apply {
			t.Fatalf("the handler reached for %+v", call)
		}
	})
	if door.crashes != 1 || door.shut > 0 {
		t.Errorf("%d crashes of one worker, and the check was locked in %d", door.crashes, door.shut)
	}
}

// doorkeeper is a Resource that looks whether the check is locked when a worker crashes.
type doorkeeper struct {
	check         *check
	crashes, shut int
}

func (d *doorkeeper) Reset() error { return nil }

func (d *doorkeeper) Crash(int) {
	d.crashes++
	if !d.check.mu.TryLock() {
		d.shut++
		return
	}
	d.check.mu.Unlock()
}
