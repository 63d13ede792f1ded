package simtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/simtest"
)

// one runs a world of one worker and one job, which the handler takes note of.
func one(t *testing.T, h simtest.Handler, faults []string, opts ...simtest.Option) *scenarios.Outcome {
	t.Helper()
	c := simtest.NewConsumer(t, h, append(opts, simtest.Workers(1), simtest.Jobs(1))...)
	out, err := c.Run(faults...)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Unfired) > 0 {
		t.Fatalf("never fired: %v", out.Unfired)
	}
	return out
}

// count counts the records of a kind.
func count(out *scenarios.Outcome, kind model.Kind) int {
	n := 0
	for i := range out.History.Events {
		if out.History.Events[i].Kind == kind {
			n++
		}
	}
	return n
}

func TestACrashStandsBetweenAnyTwoCalls(t *testing.T) {
	var did []string
	h := func(ctx context.Context, job simtest.Job) error {
		did = append(did, "read")
		if _, _, err := job.KV().Get(ctx, "a"); err != nil {
			return err
		}
		did = append(did, "write")
		if err := job.KV().Put(ctx, "a", "b", 0); err != nil {
			return err
		}
		did = append(did, "apply")
		return job.Sink().Apply(ctx)
	}
	for _, c := range []struct{ fault, did string }{
		{"crash w1 before=read J1#1 restart=1s", "read | read write apply"},
		{"crash w1 after=read J1#1 restart=1s", "read | read write apply"},
		{"crash w1 before=write J1#1 restart=1s", "read write | read write apply"},
		{"crash w1 after=apply J1#1 restart=1s", "read write apply | read write apply"},
		{"pause w1 after=apply J1#1 for=1s", "read write apply"},
	} {
		did = nil
		one(t, func(ctx context.Context, job simtest.Job) error {
			if len(did) > 0 {
				did = append(did, "|")
			}
			return h(ctx, job)
		}, []string{c.fault})
		if got := strings.Join(did, " "); got != c.did {
			t.Errorf("%s: %s, want %s", c.fault, got, c.did)
		}
	}
}

func TestTheNthCallOfASortIsAPointOfItsOwn(t *testing.T) {
	var did []int
	one(t, func(ctx context.Context, job simtest.Job) error {
		for i := range 3 {
			did = append(did, i)
			if err := job.KV().Put(ctx, "a", "b", 0); err != nil {
				return err
			}
		}
		return job.Sink().ApplyKey(ctx, job.ID)
	}, []string{"crash w1 after=write J1#1 nth=2 restart=1s"})
	if got := fmt.Sprint(did); got != "[0 1 0 1 2]" {
		t.Errorf("%s", got)
	}
}

func TestTheContextEndsWithTheLease(t *testing.T) {
	var cause []error
	h := func(ctx context.Context, job simtest.Job) error {
		_ = job.Sleep(ctx, time.Minute)
		cause = append(cause, context.Cause(ctx))
		return job.Sink().ApplyKey(context.Background(), job.ID)
	}
	slept := one(t, h, nil, simtest.MaxAttempts(2))
	if !errors.Is(cause[0], simtest.ErrLeaseLost) {
		t.Errorf("the cause is %v", cause[0])
	}
	if at := slept.History.Events[len(slept.History.Events)-1].At; at > model.Time(2*time.Minute) {
		t.Errorf("it slept on, until %s", at)
	}
	cause = nil
	one(t, h, nil, simtest.IgnoresContext(), simtest.MaxAttempts(2))
	if cause[0] != nil {
		t.Errorf("a handler that ignores its context was told %v", cause[0])
	}
}

func TestAHeartbeatThatIsHeardKeepsTheContext(t *testing.T) {
	var errs []error
	h := func(ctx context.Context, job simtest.Job) error {
		errs = append(errs, job.Sleep(ctx, time.Minute))
		return job.Sink().ApplyKey(context.Background(), job.ID)
	}
	one(t, h, nil, simtest.Heartbeat(10*time.Second))
	if len(errs) != 1 || errs[0] != nil {
		t.Errorf("with a heartbeat: %v", errs)
	}
	errs = nil
	one(t, h, []string{"partition w1 queue time=1s for=50s"}, simtest.Heartbeat(10*time.Second))
	if len(errs) < 2 || errs[0] == nil {
		t.Errorf("cut off: %v", errs)
	}
}

func TestTheServiceMayBeSilentOrSlowOrAskedTwice(t *testing.T) {
	var answers []string
	h := func(ctx context.Context, job simtest.Job) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/", strings.NewReader(job.ID))
		if err != nil {
			return err
		}
		resp, err := job.Client().Do(r)
		if err != nil {
			answers = append(answers, "none")
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		b, err := io.ReadAll(resp.Body)
		if want := fmt.Sprint(resp.StatusCode, " ", http.StatusText(resp.StatusCode)); resp.Status != want {
			t.Errorf("the status is %q, and net/http has it %q", resp.Status, want)
		}
		answers = append(answers, fmt.Sprint(resp.StatusCode, " ", string(b)))
		return err
	}
	asked := 0
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write([]byte(r.Method + string(body[:3])))
	})
	for _, c := range []struct {
		fault, answers string
		asked          int
	}{
		{"drop apply J1#1", "[none 201 POSTJOB]", 1},
		{"drop-reply apply J1#1", "[none 201 POSTJOB]", 2},
		{"delay-reply apply J1#1 by=1s", "[201 POSTJOB]", 1},
		{"delay apply J1#1 by=20s", "[none 201 POSTJOB]", 2},
		{"duplicate apply J1#1 after=1s", "[201 POSTJOB]", 2},
		{"error apply J1#1", "[503  201 POSTJOB]", 1},
	} {
		answers, asked = nil, 0
		out := one(t, func(ctx context.Context, job simtest.Job) error {
			if err := h(ctx, job); err != nil || strings.HasPrefix(answers[len(answers)-1], "503") {
				return errors.New("again")
			}
			return nil
		}, []string{c.fault}, simtest.Service(service))
		if got := fmt.Sprint(answers); got != c.answers || asked != c.asked || count(out, model.Effected) != c.asked {
			t.Errorf("%s: %s, asked %d times, %d effects; want %s, %d", c.fault, got, asked, count(out, model.Effected), c.answers, c.asked)
		}
	}
}

func TestAnIdempotencyKeyIsAnsweredTheSameAndChangesNothing(t *testing.T) {
	out := one(t, payWithKey, []string{"duplicate apply J1#1 after=1s", "drop complete J1#1"})
	if count(out, model.Effected) != 1 || count(out, model.Absorbed) != 2 {
		t.Errorf("%d effects, %d absorbed:\n%s", count(out, model.Effected), count(out, model.Absorbed), out.HistoryText())
	}
}

func TestATransactionThatReadWhatChangedConflicts(t *testing.T) {
	conflicts := 0
	c := simtest.NewConsumer(t, func(ctx context.Context, job simtest.Job) error {
		err := job.KV().Update(ctx, func(tx simtest.Tx) error {
			v, _, err := tx.Get("counter")
			tx.Put("counter", v+"x", 0)
			tx.Apply()
			return err
		})
		if errors.Is(err, simtest.ErrConflict) {
			conflicts++
		}
		return err
	}, simtest.Jobs(2))
	if _, err := c.Run("pause w1 before=commit J1#1 for=10s"); err != nil {
		t.Fatal(err)
	}
	if conflicts != 1 {
		t.Errorf("%d conflicts, want 1", conflicts)
	}
}

// A read of a transaction that is not made conflicts with nothing, and ErrConflict would
// have the handler try again.
func TestAReadWhoseContextHasEndedIsNoConflict(t *testing.T) {
	var second error
	one(t, func(ctx context.Context, job simtest.Job) error {
		return job.KV().Update(ctx, func(tx simtest.Tx) error {
			tx.Apply()
			if job.Token > 1 {
				return nil
			}
			if _, _, err := tx.Get("counter"); err != nil {
				return err
			}
			_ = job.Sleep(ctx, time.Minute) // longer than the lease
			_, _, second = tx.Get("counter")
			return second
		})
	}, nil)
	if !errors.Is(second, context.Canceled) || errors.Is(second, simtest.ErrConflict) {
		t.Errorf("the second read came back with %v", second)
	}
}

// body is the body of a request, which whoever sends it has to close.
type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error { b.closed = true; return nil }

func TestARequestThatIsNotSentHasItsBodyClosed(t *testing.T) {
	b := &body{Reader: strings.NewReader("x")}
	one(t, func(_ context.Context, job simtest.Job) error {
		over, cancel := context.WithCancel(context.Background())
		cancel()
		r, err := http.NewRequestWithContext(over, http.MethodPost, "https://bank.example/", b)
		if err != nil {
			return err
		}
		resp, err := job.Transport().RoundTrip(r)
		if err == nil {
			_ = resp.Body.Close()
			t.Error("it was sent")
		}
		return nil
	}, nil)
	if !b.closed {
		t.Error("the body is open")
	}
}

func TestMemoryIsLostWithTheProcess(t *testing.T) {
	var seen []int
	h := func() simtest.Handler {
		n := 0
		return func(ctx context.Context, job simtest.Job) error {
			n++
			seen = append(seen, n)
			return job.Sink().ApplyKey(ctx, job.ID)
		}
	}
	one(t, nil, []string{"drop complete J1#1"}, simtest.PerProcess(h))
	one(t, nil, []string{"crash w1 after=apply J1#1 restart=1s"}, simtest.PerProcess(h))
	if got := fmt.Sprint(seen); got != "[1 2 1 1]" {
		t.Errorf("%s", got)
	}
}

func TestAFencedStoreRefusesAnOldToken(t *testing.T) {
	var errs []error
	c := simtest.NewConsumer(t, func(ctx context.Context, job simtest.Job) error {
		err := job.Sink().ApplyFenced(ctx)
		errs = append(errs, err)
		return err
	}, simtest.Jobs(1))
	if _, err := c.Run("pause w1 before=apply J1#1 for=45s"); err != nil {
		t.Fatal(err)
	}
	if len(errs) != 2 || errs[0] != nil || !errors.Is(errs[1], simtest.ErrFenced) {
		t.Errorf("%v", errs)
	}
}

func TestInABubbleTimeSleepTakesVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var took []time.Duration
		h := func(ctx context.Context, job simtest.Job) error {
			before, virtual := time.Now(), job.Now()
			time.Sleep(10 * time.Second)
			if err := job.KV().Put(ctx, "a", "b", 0); err != nil {
				return err
			}
			took = append(took, time.Since(before), job.Now().Sub(virtual))
			return job.Sink().ApplyKey(ctx, job.ID)
		}
		one(t, h, nil, simtest.Bubble())
		if got := fmt.Sprint(took); got != "[10s 10s]" {
			t.Errorf("%s", got)
		}
		simtest.CheckConsumer(t, h, simtest.Bubble(), simtest.Runs(100))
	})
}

// TestAHandlerThatSleptInABubbleAndReturnedMayCrashStill: its return is not known before
// the sleep is over, and the next handler has its coroutine by then.
func TestAHandlerThatSleptInABubbleAndReturnedMayCrashStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := func(ctx context.Context, job simtest.Job) error {
			if err := keyed(ctx, job); err != nil {
				return err
			}
			time.Sleep(10 * time.Second)
			return nil
		}
		simtest.CheckConsumer(t, h, simtest.Bubble(), simtest.Runs(100))
	})
}

func TestAHeartbeatThatIsRefusedEndsTheContextBeforeTheLease(t *testing.T) {
	var took []time.Duration
	h := func(ctx context.Context, job simtest.Job) error {
		begun := job.Now()
		err := job.Sleep(ctx, 20*time.Second)
		took = append(took, job.Now().Sub(begun))
		return err
	}
	s := simtest.NewConsumer(t, h, simtest.Story("worker w1 heartbeat=3s\njob J1\ndo remove J1 time=5s\nchaos off")).Story()
	if _, err := s.Run(scenarios.Options{}); err != nil {
		t.Fatal(err)
	}
	if len(took) != 1 || took[0] < 3*time.Second || took[0] > 10*time.Second {
		t.Errorf("the job was removed after 5s, and the handler learned it after %v", took)
	}
}

func TestARunThatIsCutLeavesNoHandlerUnderWay(t *testing.T) {
	h := func(ctx context.Context, job simtest.Job) error { return job.Sleep(ctx, time.Hour) }
	s := simtest.NewConsumer(t, h, simtest.IgnoresContext(), simtest.Story("horizon 10s\nworkers 20\njobs 20\nchaos off")).Story()
	before := runtime.NumGoroutine()
	for range 10 {
		if _, err := s.Run(scenarios.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if after := runtime.NumGoroutine(); after > before+20 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}
