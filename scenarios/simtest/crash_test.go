package simtest

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/ackgap/ackgap/scenarios/actors"
)

// crashes is how many processes die in each of these tests.
const crashes = 100_000

// A handler with deferred functions, crashed at its first call or between calls.
// What it does of its own accord is counted.
type deaths struct {
	calls, defers, voided int
}

func (d *deaths) handler(ctx context.Context, job Job) error {
	defer func() { d.defers++ }()
	defer func() {
		defer func() { d.voided++ }()
		_ = job.Sink().Apply(ctx) // of a dead process: goes nowhere, and does not return
		d.calls += 1_000_000
	}()
	d.calls++
	if err := job.KV().Put(ctx, "a", "b", 0); err != nil {
		return err
	}
	d.calls += 1_000_000
	return nil
}

// killed begins a delivery in o, lets it reach its first call, and crashes it.
func killed(o *outside) {
	c := o.begin(actors.Delivery{Worker: 1})
	if call := c.Go(actors.Wake{}); call.Step != Write {
		panic("the handler did not reach its write")
	}
	c.Drop()
}

func newTestOutside(h Handler) *outside {
	o := newOutside(newConfig(h, nil))
	o.Reset()
	return o
}

func TestACrashLeavesNoGoroutineAHundredThousandTimes(t *testing.T) {
	var d deaths
	o := newTestOutside(d.handler)
	before := runtime.NumGoroutine()
	for range crashes {
		killed(o)
	}
	o.Rest()
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before %d crashes, %d after", before, crashes, after)
	}
	if o.wrong != nil {
		t.Error(o.wrong)
	}
}

func TestNothingOfADeadHandlerGoesOn(t *testing.T) {
	var d deaths
	o := newTestOutside(d.handler)
	for range crashes {
		killed(o)
	}
	if d.calls != crashes {
		t.Errorf("the handler went past its call: %d", d.calls)
	}
	if o.cells.taken != 0 || len(o.keys) != 0 {
		t.Errorf("a dead handler changed the outside: %v, %v", o.cells.slots, o.keys)
	}
}

// This is the promise that depends on how the test was built: see the manual.
func TestACrashRunsDeferredFunctionsOnlyWhereTheManualSaysSo(t *testing.T) {
	var d deaths
	o := newTestOutside(d.handler)
	for range crashes {
		killed(o)
	}
	want := 0
	if runsDefers {
		want = crashes
	}
	if d.defers != want || d.voided != want {
		t.Errorf("%d crashes ran %d and %d deferred functions, want %d", crashes, d.defers, d.voided, want)
	}
}

func TestALockThatADeferReleasesIsReleasedWhereDefersRun(t *testing.T) {
	if !runsDefers {
		t.Skip("built so that a crash runs no deferred function: memory that outlives the process stays locked")
	}
	var mu sync.Mutex
	o := newTestOutside(func(ctx context.Context, job Job) error {
		mu.Lock()
		defer mu.Unlock()
		return job.KV().Put(ctx, "a", "b", 0)
	})
	killed(o)
	if !mu.TryLock() {
		t.Error("the next process would wait for ever")
	}
}

func TestAHandlerThatWillNotDieIsGivenUpAndBlamed(t *testing.T) {
	if !runsDefers {
		t.Skip("nothing is recovered from where no deferred function runs")
	}
	o := newTestOutside(func(ctx context.Context, job Job) error {
		try := func() {
			defer func() { _ = recover() }()
			_ = job.KV().Put(ctx, "a", "b", 0)
		}
		for {
			try()
		}
	})
	killed(o)
	if o.wrong == nil {
		t.Error("nobody was told")
	}
}

func TestAPanicOfTheHandlerIsAnErrorOfTheTest(t *testing.T) {
	o := newTestOutside(func(context.Context, Job) error { panic("oh") })
	c := o.begin(actors.Delivery{Worker: 1})
	if call := c.Go(actors.Wake{}); !call.Failed || o.wrong == nil {
		t.Errorf("call %+v, %v", call, o.wrong)
	}
}
