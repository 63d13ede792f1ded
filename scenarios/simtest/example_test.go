package simtest_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
)

// example runs an example's check, whose t is not there.
func example(check func(t testing.TB)) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	tb := tbtest.Run(noTest{dir: dir}, check)
	fmt.Println("failed:", tb.Broke)
	_ = os.RemoveAll(dir) // in a folder for what is temporary
}

// noTest is the test that an example lacks.
type noTest struct {
	testing.TB
	dir string // of its artifacts
}

func (noTest) Name() string          { return "Example" }
func (noTest) Helper()               {}
func (n noTest) ArtifactDir() string { return n.dir }

// A consumer that marks and acts in one transaction.
func ExampleCheckConsumer() {
	handler := func(ctx context.Context, job simtest.Job) error {
		return job.KV().Update(ctx, func(tx simtest.Tx) error {
			_, done, err := tx.Get(job.ID)
			if err != nil || done {
				return err
			}
			tx.Put(job.ID, "done", 0)
			tx.Apply()
			return nil
		})
	}
	example(func(t testing.TB) { simtest.CheckConsumer(t, handler, simtest.Runs(200)) })
	// Output: failed: false
}

// A queue of one's own, held to what it claims. Here it is EchoMQ, hardened.
func ExampleCheckQueue() {
	newQueue := func() model.Queue { return echomq.NewHardened(0) }
	fence := simtest.Claims(queuetest.Exclusive, queuetest.Fence, queuetest.Dedup)
	example(func(t testing.TB) { simtest.CheckQueue(t, newQueue, fence, simtest.Runs(200)) })
	// Output: failed: false
}

// The log of last night. Nobody wrote down what was claimed, so that only this much can
// be judged.
func ExampleCheckHistory() {
	log := strings.NewReader(`{"format":"ackgap-log/1","records":["admitted","applied"]}
{"seq":1,"time":"2026-03-01T02:00:00Z","kind":"admitted","job":"order-7","worker":"shop"}
{"seq":2,"time":"2026-03-01T02:00:02Z","kind":"applied","job":"order-7","worker":"w1"}
{"seq":3,"time":"2026-03-01T03:00:00Z","kind":"ended","cause":"horizon"}
`)
	example(func(t testing.TB) {
		simtest.CheckHistory(t, log, simtest.HistoryProperties("no-duplicate-effect"))
	})
	// Output: failed: false
}

// A request to an outside service, with a key by which it knows it again.
func ExampleJob_Client() {
	handler := func(ctx context.Context, job simtest.Job) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/payments", strings.NewReader(job.Payload))
		if err != nil {
			return err
		}
		r.Header.Set(simtest.IdempotencyKey, job.ID)
		resp, err := job.Client().Do(r)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("the bank says %d", resp.StatusCode)
		}
		return nil
	}
	example(func(t testing.TB) { simtest.CheckConsumer(t, handler, simtest.Runs(200)) })
	// Output: failed: false
}

// The context ends with the lease: what goes on nevertheless is a zombie.
func ExampleIgnoresContext() {
	handler := func(ctx context.Context, job simtest.Job) error {
		if err := job.Sleep(ctx, time.Minute); err != nil {
			return err // context.Cause(ctx) is simtest.ErrLeaseLost
		}
		return job.Sink().ApplyKey(ctx, job.ID)
	}
	example(func(t testing.TB) {
		out, err := simtest.NewConsumer(t, handler, simtest.Heartbeat(10*time.Second), simtest.IgnoresContext()).Run()
		fmt.Println(err, out.Met)
	})
	// Output:
	// <nil> met
	// failed: false
}

// A world of one's own, as a story.
func ExampleStory() {
	handler := func(ctx context.Context, job simtest.Job) error { return job.Sink().ApplyKey(ctx, job.ID) }
	example(func(t testing.TB) {
		simtest.CheckConsumer(t, handler, simtest.Runs(100), simtest.Story(`
			queue   echomq lease=10s max-attempts=5
			workers 3 work=1s heartbeat=3s
			jobs    4 every=200ms
			chaos   drop claim complete extend rate=10%
			chaos   pause w1 w2 w3 rate=5% for=1s..30s
			quiet   time=1m`))
	})
	// Output: failed: false
}

// One run under chosen faults, and its history.
func ExampleConsumer_Run() {
	handler := func(ctx context.Context, job simtest.Job) error { return job.Sink().Apply(ctx) }
	example(func(t testing.TB) {
		out, err := simtest.NewConsumer(t, handler, simtest.Jobs(1)).Run("drop complete J1#1")
		effects := 0
		for _, e := range out.History.Events {
			if e.Kind == model.Effected {
				effects++
			}
		}
		fmt.Println(effects, err)
	})
	// Output:
	// 2 <nil>
	// failed: false
}

// An adapter of one's own: a counter as a resource, each step atomic.
func ExampleWith() {
	handler := func(ctx context.Context, job simtest.Job) error {
		c := job.Resource("counter").(*counter)
		return job.Do(ctx, simtest.Commit, func() simtest.Deed {
			if c.seen[job.ID] {
				return simtest.Deed{Found: true}
			}
			c.seen[job.ID] = true
			return simtest.Deed{Effects: 1}
		})
	}
	with := simtest.With("counter", func() (simtest.Resource, error) { return &counter{}, nil })
	example(func(t testing.TB) { simtest.CheckConsumer(t, handler, simtest.Runs(100), with) })
	// Output: failed: false
}

type counter struct{ seen map[string]bool }

func (c *counter) Reset() error { c.seen = map[string]bool{}; return nil }
func (c *counter) Crash(int)    {}
