package main

import (
	"sync/atomic"
	"testing"
)

// TestAllHaveTheEventsInOneOrder holds the contestants to the same work. Akita is not
// among them, nor what sleeps in a bubble: of two events at one instant either may be first.
func TestAllHaveTheEventsInOneOrder(t *testing.T) {
	for _, pending := range []int{1, 10, 1_000, 20_000} {
		want := &hold{pending: pending, events: 30_000, mark: pending}
		holdHeap(want)
		for _, name := range []string{"ackgap", "coroutines", "channels", "simgo", "simgo-processes"} {
			h := &hold{pending: pending, events: 30_000, mark: pending}
			holds[name](h)
			if h.sum != want.sum || h.seen != want.seen {
				t.Errorf("%d pending: %s has %d events and the sum %016x, container/heap %d and %016x",
					pending, name, h.seen, h.sum, want.seen, want.sum)
			}
		}
	}
}

func TestEveryWorldDoesEachJobOnce(t *testing.T) {
	for _, name := range []string{"ackgap", "lossy", "channels"} {
		if err := worlds[name](300); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTheCoresDoAllOfTheWork, also where their chunks do not divide it.
func TestTheCoresDoAllOfTheWork(t *testing.T) {
	for _, worlds := range []int{1, 100, chunk, 2*chunk + 1} {
		for _, cores := range []int{1, 3} {
			done := make([]atomic.Int32, worlds)
			err := onCores(worlds, cores, func() func(first, end uint64) error {
				return func(first, end uint64) error {
					for i := first; i < end; i++ {
						done[i].Add(1)
					}
					return nil
				}
			})
			for i := range done {
				if n := done[i].Load(); err != nil || n != 1 {
					t.Fatalf("%d worlds on %d cores: number %d was run %d times, %v", worlds, cores, i, n, err)
				}
			}
		}
	}
}

// TestWorkThatIsNotDoneIsAnError says that no figure is told for less than the work.
func TestWorkThatIsNotDoneIsAnError(t *testing.T) {
	if err := tell(0, 10, 9, 9, 10); err == nil {
		t.Error("9 jobs passed for 10")
	}
	if err := tell(0, 10, 10, 11, 10); err == nil {
		t.Error("11 effects passed for 10 jobs")
	}
	for _, args := range [][]string{nil, {"hold"}, {"hold", "ackgap"}, {"hold", "ackgap", "10", "0"}, {"hold", "ackgap", "10", "x"},
		{"hold", "nobody", "10", "10"}, {"nothing", "x"}, {"worlds", "no-such-story", "1"}, {"grow", "jobs", "0"}} {
		if err := run(args); err == nil {
			t.Errorf("%q was done", args)
		}
	}
}
