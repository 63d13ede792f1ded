package simtest_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
)

// keyed is a consumer that is right, on whatever stands below it.
func keyed(ctx context.Context, job simtest.Job) error { return job.Sink().ApplyKey(ctx, job.ID) }

// fragile is a resource that panics where it is told to.
type fragile struct {
	resets int
	reset  bool
	crash  bool
}

func (f *fragile) Reset() error {
	if f.resets++; f.reset && f.resets > 20 {
		panic("disk full")
	}
	return nil
}

func (f *fragile) Crash(int) {
	if f.crash {
		panic("no such process")
	}
}

// frail is a queue in memory that panics besides Apply.
type frail struct {
	model.Queue
	err, close bool
}

func (f frail) Err() error {
	if f.err {
		panic("no connection to ask")
	}
	return nil
}

func (f frail) Close() error {
	if f.close {
		panic("closed twice")
	}
	return nil
}

// hasty is a queue that panics when it is asked what is due.
type hasty struct {
	model.Queue
	asked func()
}

func (h hasty) NextDue() (lapse, run model.Time) { h.asked(); return model.Never, model.Never }

// brittle is a test whose log breaks.
type brittle struct{ testing.TB }

func (b brittle) Logf(string, ...any) { panic("the log is full") }

// after counts calls, and panics from the nth on.
func after(n int, says string) func() {
	return func() {
		if n--; n < 0 {
			panic(says)
		}
	}
}

// TestAPanicOfWhateverTheCheckCallsIsTold: with its value, its place and its world, and
// never as another thing than it is.
func TestAPanicOfWhateverTheCheckCallsIsTold(t *testing.T) {
	with := func(f *fragile) func(testing.TB) {
		return func(tb testing.TB) {
			simtest.CheckConsumer(tb, keyed, simtest.With("db", func() (simtest.Resource, error) { return f, nil }))
		}
	}
	on := func(open func() model.Queue) func(testing.TB) {
		return func(tb testing.TB) { simtest.CheckQueue(tb, open, simtest.Runs(20)) }
	}
	count := after(20000, "no agenda")
	for _, c := range []struct {
		name  string
		check func(testing.TB)
		says  []string
	}{
		{"PerProcess", func(tb testing.TB) {
			count := after(20, "no config")
			simtest.CheckConsumer(tb, nil, simtest.PerProcess(func() simtest.Handler { count(); return keyed }))
		}, []string{"the function of PerProcess panicked: no config", " seed "}},
		{"Reset", with(&fragile{reset: true}), []string{"Reset of a Resource panicked: disk full", " seed "}},
		{"Crash", with(&fragile{crash: true}), []string{"Crash of a Resource panicked: no such process", " seed "}},
		{"With", func(tb testing.TB) {
			simtest.CheckConsumer(tb, keyed, simtest.With("db", func() (simtest.Resource, error) { panic("no driver") }))
		}, []string{"its function panicked: no driver"}},
		{"newQueue", func(tb testing.TB) {
			count := after(1, "no port is free")
			on(func() model.Queue { count(); return echomq.NewHardened(0) })(tb)
		}, []string{"newQueue panicked: no port is free"}},
		{"Close", on(func() model.Queue { return frail{Queue: echomq.NewHardened(0), close: true} }), []string{"the queue panicked in Close: closed twice"}},
		{"Err", on(func() model.Queue { return frail{Queue: echomq.NewHardened(0), err: true} }), []string{"the queue panicked in Err: no connection to ask"}},
		{"NextDue", on(func() model.Queue { return hasty{echomq.NewHardened(0), count} }), []string{" seed 8: the queue panicked in NextDue: no agenda", "ACKGAP_REPLAY="}},
		{"what nobody has thought of", func(tb testing.TB) {
			on(func() model.Queue { return echomq.NewHardened(0) })(brittle{tb})
		}, []string{"a panic ended the check: the log is full"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			before := runtime.NumGoroutine()
			tb := tbtest.Run(t, c.check)
			says(t, tb, append(c.says, "away_test.go:")...)
			if strings.Contains(tb.Text(), "Goexit") {
				t.Errorf("a panic is called a Goexit:\n%s", tb.Text())
			}
			noMoreGoroutines(t, before)
		})
	}
}

// noMoreGoroutines demands that no handler is left behind.
func noMoreGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 500 { // others that the machine has not let end yet may be about to
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before the check, %d after", before, runtime.NumGoroutine())
}

// TestAQueueThatEndsTheTestLeavesNoGoroutine: its handlers stood still in the middle.
func TestAQueueThatEndsTheTestLeavesNoGoroutine(t *testing.T) {
	ends := func(model.Time, model.Request) model.Reply { runtime.Goexit(); return model.Reply{} }
	before := runtime.NumGoroutine()
	tb := tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckQueue(tb, func() model.Queue {
			claims, inner := 0, echomq.NewHardened(0)
			return asked(func(now model.Time, req model.Request) model.Reply {
				if req.Op == model.OpClaim {
					if claims++; claims == 4 { // while another worker is at work
						return ends(now, req)
					}
				}
				return inner.Apply(now, req)
			})
		}, simtest.Consumes(func(ctx context.Context, job simtest.Job) error {
			if err := job.Sleep(ctx, 10e9); err != nil {
				return err
			}
			return keyed(ctx, job)
		}))
	})
	says(t, tb, "the queue ended the test's goroutine in claim (runtime.Goexit")
	noMoreGoroutines(t, before)
}

// quitter is a queue that ends the test when it is asked whether it was lost.
type quitter struct{ model.Queue }

func (quitter) Err() error { runtime.Goexit(); return nil }

// TestAQueueThatEndsTheTestWhereverItIsAskedIsTold: once, and the tests behind it still run.
func TestAQueueThatEndsTheTestWhereverItIsAskedIsTold(t *testing.T) {
	for _, c := range []struct {
		name  string
		queue model.Queue
	}{
		{"Err", quitter{echomq.NewHardened(0)}},
		{"NextDue", hasty{echomq.NewHardened(0), runtime.Goexit}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := tbtest.Run(t, func(tb testing.TB) {
				simtest.CheckQueue(tb, func() model.Queue { return c.queue }, simtest.Runs(5))
			})
			says(t, tb, "the queue ended the test's goroutine in "+c.name)
		})
	}
	tb := tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckQueue(tb, func() model.Queue { runtime.Goexit(); return nil })
	})
	says(t, tb, "newQueue, or the function of another option, ended the test's goroutine")
}

// TestAHandlerThatFailsTheTestAtOnceIsToldWhy there is nothing but its own line.
func TestAHandlerThatFailsTheTestAtOnceIsToldWhy(t *testing.T) {
	tb := tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckConsumer(tb, func(context.Context, simtest.Job) error { tb.Fatal("no such order"); return nil })
	})
	says(t, tb, "no such order", "failed the test at once", "let it return an error, or use t.Error")
}

// leaky is a queue that cannot be closed.
type leaky struct{ model.Queue }

func (leaky) Close() error { return errors.New("the socket is gone") }

func TestAQueueThatDoesNotCloseFails(t *testing.T) {
	tb := tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckQueue(tb, func() model.Queue { return leaky{echomq.NewHardened(0)} }, simtest.Runs(5))
	})
	says(t, tb, "the queue that newQueue made did not close: the socket is gone")
}

// TestAStepThatThereIsNotIsRefused, by whoever hands it to Job.Do.
func TestAStepThatThereIsNotIsRefused(t *testing.T) {
	one := func() simtest.Deed { return simtest.Deed{Effects: 1} }
	for _, c := range []struct {
		step simtest.Step
		does func() simtest.Deed
		says string
	}{
		{0, one, "Job.Do got the step 0, which there is not"},
		{200, one, "Job.Do got the step 200, which there is not"},
		{simtest.Sleep, one, "Job.Do got a Sleep"},
		{simtest.Apply, nil, "Job.Do got a nil function"},
		{simtest.Read, one, "a Read of Job.Do came to an effect"},
	} {
		h := func(ctx context.Context, job simtest.Job) error { return job.Do(ctx, c.step, c.does) }
		says(t, failing(t, h, simtest.Runs(5)), c.says, " seed 1")
	}
}

// TestAGoroutineOfBeforeTheCheckThatCallsTheJobFails: a pool is no handler either.
func TestAGoroutineOfBeforeTheCheckThatCallsTheJobFails(t *testing.T) {
	work := make(chan func())
	defer close(work)
	for range 4 {
		go func() {
			for f := range work {
				f()
			}
		}()
	}
	h := func(ctx context.Context, job simtest.Job) (err error) {
		done := make(chan struct{})
		work <- func() { err = keyed(ctx, job); close(done) }
		<-done
		return err
	}
	says(t, failing(t, h, simtest.Runs(30)), "a Job was called from a goroutine other than its handler's own")
}

// inverted is a queue that refuses nobody but the holder.
type inverted struct {
	model.Queue
	last map[model.ID]model.Token
}

func (q inverted) Apply(now model.Time, req model.Request) model.Reply {
	if (req.Op == model.OpComplete || req.Op == model.OpRetry) && req.Token == q.last[req.ID] {
		return model.Reply{Answer: model.Gone}
	}
	rep := q.Queue.Apply(now, req)
	if req.Op == model.OpClaim && rep.Answer == model.OK {
		q.last[rep.ID] = rep.Token
	}
	return rep
}

// TestAQueueThatNeverEndsAJobIsReportedSoon: its histories are as long as the horizon, and
// what the queue could have known is asked of as many of them as some seconds have.
func TestAQueueThatNeverEndsAJobIsReportedSoon(t *testing.T) {
	t.Chdir(t.TempDir())
	tb := failingQueue(t, func() model.Queue { return inverted{echomq.NewHardened(0), map[model.ID]model.Token{}} }, simtest.Claims(queuetest.Exclusive))
	says(t, tb, "BROKEN        drains")
	report, err := os.ReadFile(tb.Attrs["ackgap.report"])
	if err != nil || !strings.Contains(strings.Join(strings.Fields(string(report)), " "), "the search was cut short there") {
		t.Errorf("%v: the report does not say that its search was cut short:\n%.6000s", err, report)
	}
}

// emptied is a queue whose later deliveries carry nothing.
type emptied struct{ model.Queue }

func (q emptied) Apply(now model.Time, req model.Request) model.Reply {
	rep := q.Queue.Apply(now, req)
	if rep.Until > model.Time(40*time.Second) {
		rep.Payload = ""
	}
	return rep
}

// TestAQueueThatForgetsWhatAJobCarriesFails, in a world whose jobs carry something.
func TestAQueueThatForgetsWhatAJobCarriesFails(t *testing.T) {
	tb := failingQueue(t, func() model.Queue { return emptied{echomq.NewHardened(0)} }, simtest.Story("workers 2\njob J1 payload=cargo"))
	says(t, tb, `with the payload "", with which nobody enqueued it`)
}
