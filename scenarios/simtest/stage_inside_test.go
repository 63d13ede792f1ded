package simtest

import (
	"context"
	"runtime"
	"testing"
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
