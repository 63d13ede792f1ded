package simtest_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
)

// remembering is a handler whose memory outlives the worlds: from the third delivery
// on it asks the store twice.
func remembering() simtest.Handler {
	n := 0
	return func(ctx context.Context, job simtest.Job) error {
		if n++; n > 3 {
			if _, _, err := job.KV().Get(ctx, "a"); err != nil {
				return err
			}
		}
		return job.Sink().ApplyKey(ctx, job.ID)
	}
}

// TestMemoryThatOutlivesAWorldIsFoundHoweverWorldsAreRun, though no promise is broken.
func TestMemoryThatOutlivesAWorldIsFoundHoweverWorldsAreRun(t *testing.T) {
	for name, run := range map[string]func(tb testing.TB, c *simtest.Consumer) error{
		"Check": func(tb testing.TB, c *simtest.Consumer) error { c.Check(tb); return nil },
		"Find":  func(_ testing.TB, c *simtest.Consumer) error { _, err := c.Find(); return err },
		"World": func(_ testing.TB, c *simtest.Consumer) error { _, err := c.World(1); return err },
		"Run":   func(_ testing.TB, c *simtest.Consumer) error { _, err := c.Run(); return err },
		"Plan":  func(_ testing.TB, c *simtest.Consumer) error { _, err := c.RunPlan([]byte("dc11")); return err },
	} {
		tb := tbtest.Run(t, func(tb testing.TB) {
			if err := run(tb, simtest.NewConsumer(tb, remembering(), simtest.Runs(10))); err != nil {
				tb.Error(err)
			}
		})
		if !tb.Broke || !strings.Contains(tb.Text(), "remembered in the next") {
			t.Errorf("%s: it failed: %t\n%s", name, tb.Broke, tb.Text())
		}
	}
}

// TestAQueueWhoseResetForgetsToForgetIsFoundThoughNothingBreaks.
func TestAQueueWhoseResetForgetsToForgetIsFoundThoughNothingBreaks(t *testing.T) {
	newQueue := func() model.Queue { return &counting{Queue: variant(t, "")()} }
	says(t, failingQueue(t, newQueue, simtest.Runs(20)), "the queue is not deterministic", "after others, and", "by itself")
	if _, err := simtest.NewQueue(t, newQueue, simtest.Runs(20)).Find(); err == nil || !strings.Contains(err.Error(), "the queue is not deterministic") {
		t.Error(err)
	}
}

// counting gives the first delivery of the worlds after the first a higher token.
type counting struct {
	model.Queue
	resets model.Token
}

func (c *counting) Reset() { c.resets = 1; c.Queue.(model.Resetter).Reset() }

func (c *counting) Apply(now model.Time, req model.Request) model.Reply {
	req.Token -= c.resets
	rep := c.Queue.Apply(now, req)
	if rep.Token > 0 {
		rep.Token += c.resets
	}
	return rep
}

// TestAWorldThatFailsForWhatWentBeforeIsNoStory: its handler counts through all worlds, so
// that in a process of its own the world would be held.
func TestAWorldThatFailsForWhatWentBeforeIsNoStory(t *testing.T) {
	t.Chdir(t.TempDir())
	n := 0
	tb := failing(t, func(ctx context.Context, job simtest.Job) error {
		if job.Token == 3 {
			n++
		}
		if n > 3 && job.Token == 3 {
			return job.Sink().Apply(ctx)
		}
		return keyed(ctx, job)
	}, simtest.Runs(500))
	says(t, tb, "the consumer remembers something from an earlier world", "keep it in Job.KV")
	if _, err := os.Stat("testdata"); err == nil {
		t.Error("a story was kept that fails in no other process")
	}
}

// TestAQueueThatRemembersIsNotToldOfJobKV: that is for handlers.
func TestAQueueThatRemembersIsNotToldOfJobKV(t *testing.T) {
	tb := failingQueue(t, func() model.Queue { return &counting{Queue: variant(t, "")()} })
	if strings.Contains(tb.Text(), "Job.KV") {
		t.Error(tb.Text())
	}
}
