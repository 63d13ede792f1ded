package simtest_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/scenarios/simtest"
)

// Six consumers that many have written, each with its fault, and beside each the
// one that is right.

// A check, then an act: between the two somebody else acts, or this one dies.
func checkThenAct(ctx context.Context, job simtest.Job) error {
	_, done, err := job.KV().Get(ctx, job.ID)
	if err != nil || done {
		return err
	}
	if err := job.Sink().Apply(ctx); err != nil {
		return err
	}
	return job.KV().Put(ctx, job.ID, "done", 0)
}

func checkAndActInOne(ctx context.Context, job simtest.Job) error {
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

// The marker first: who dies between the two has done nothing, and nobody will.
func markerBefore(ctx context.Context, job simtest.Job) error {
	first, err := job.KV().PutNew(ctx, job.ID, "done", 0)
	if err != nil || !first {
		return err
	}
	return job.Sink().Apply(ctx)
}

// The right one marks that it is about to, and does again what it does not know
// to be done: under a key.
func markerBeforeKeyed(ctx context.Context, job simtest.Job) error {
	if _, err := job.KV().PutNew(ctx, job.ID, "begun", 0); err != nil {
		return err
	}
	return job.Sink().ApplyKey(ctx, job.ID)
}

// The marker last: who dies between the two does it again.
func markerAfter(ctx context.Context, job simtest.Job) error {
	if _, done, err := job.KV().Get(ctx, job.ID); err != nil || done {
		return err
	}
	if err := job.Sink().Apply(ctx); err != nil {
		return err
	}
	_, err := job.KV().PutNew(ctx, job.ID, "done", 0)
	return err
}

func markerAfterKeyed(ctx context.Context, job simtest.Job) error {
	if _, done, err := job.KV().Get(ctx, job.ID); err != nil || done {
		return err
	}
	if err := job.Sink().ApplyKey(ctx, job.ID); err != nil {
		return err
	}
	return job.KV().Put(ctx, job.ID, "done", 0)
}

// A key of the attempt: each delivery has another one.
func keyPerAttempt(ctx context.Context, job simtest.Job) error {
	return job.Sink().ApplyKey(ctx, job.ID+"/"+time.Duration(job.Token).String())
}

func keyPerJob(ctx context.Context, job simtest.Job) error {
	return job.Sink().ApplyKey(ctx, job.ID)
}

// A marker that is forgotten before the queue has stopped to redeliver.
func shortMarker(ctx context.Context, job simtest.Job) error {
	return markFor(ctx, job, 20*time.Second)
}

func longMarker(ctx context.Context, job simtest.Job) error {
	return markFor(ctx, job, 24*time.Hour)
}

func markFor(ctx context.Context, job simtest.Job, ttl time.Duration) error {
	return job.KV().Update(ctx, func(tx simtest.Tx) error {
		_, done, err := tx.Get(job.ID)
		if err != nil || done {
			return err
		}
		tx.Put(job.ID, "done", ttl)
		tx.Apply()
		return nil
	})
}

// A payment by HTTP: no answer does not mean no payment.
func payWithoutKey(ctx context.Context, job simtest.Job) error { return pay(ctx, job, "") }

func payWithKey(ctx context.Context, job simtest.Job) error { return pay(ctx, job, job.ID) }

func pay(ctx context.Context, job simtest.Job, key string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/payments", strings.NewReader(job.ID))
	if err != nil {
		return err
	}
	if key != "" {
		r.Header.Set(simtest.IdempotencyKey, key)
	}
	resp, err := job.Client().Do(r)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return resp.Body.Close()
}

// classics is the table of them: what breaks, and what its why has to speak of.
var classics = []struct {
	name          string
	faulty, right simtest.Handler
	breaks, why   string
}{
	{"check then act", checkThenAct, checkAndActInOne, "no-duplicate-effect", "changed the outside ledger under one job"},
	{"marker before the effect", markerBefore, markerBeforeKeyed, "no-loss", "but the outside ledger never changed under it"},
	{"marker after the effect", markerAfter, markerAfterKeyed, "no-duplicate-effect", "changed the outside ledger under one job"},
	{"key per attempt", keyPerAttempt, keyPerJob, "no-duplicate-effect", "changed the outside ledger under one job"},
	{"marker that forgets", shortMarker, longMarker, "no-duplicate-effect", "changed the outside ledger under one job"},
	{"HTTP without a key", payWithoutKey, payWithKey, "no-duplicate-effect", "changed the outside ledger under one job"},
}

func TestTheSixClassicsAreCaughtAndSmall(t *testing.T) {
	for _, c := range classics {
		t.Run(c.name, func(t *testing.T) {
			found, err := simtest.NewConsumer(t, c.faulty).Find()
			if err != nil {
				t.Fatal(err)
			}
			if found == nil {
				t.Fatalf("not caught in %d worlds", simtest.DefaultRuns)
			}
			t.Logf("seed %d, %d faults: %s\n%s", found.Seed, len(found.Small.Story.Plan), found.Why(), found.Small.Story.Text())
			if found.Property != c.breaks {
				t.Errorf("%s broke, want %s", found.Property, c.breaks)
			}
			if n := len(found.Small.Story.Plan); n > 2 {
				t.Errorf("shrunk to %d faults, want at most 2", n)
			}
			if !strings.Contains(found.Why(), c.why) {
				t.Errorf("why: %s; want %q in it", found.Why(), c.why)
			}
		})
	}
}

func TestTheirSixTwinsHold(t *testing.T) {
	runs := 300
	if os.Getenv("ACKGAP_LONG") != "" {
		runs = 20_000
	}
	for _, c := range classics {
		t.Run(c.name, func(t *testing.T) { simtest.CheckConsumer(t, c.right, simtest.Runs(runs)) })
	}
}
