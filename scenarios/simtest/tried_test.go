package simtest_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
)

// terse is a queue that says as little as it may: no set that it touches, no reaper that
// moved anything, and gone to whoever speaks for an earlier delivery.
type terse struct{ model.Queue }

func (q terse) Apply(now model.Time, req model.Request) model.Reply {
	rep := q.Queue.Apply(now, req)
	if rep.Moved = 0; rep.Answer == model.Stale {
		rep.Answer = model.Gone
	}
	return rep
}

// TestAGreenCheckOfAQueueSaysHowFarItWasTried, by its answers alone.
func TestAGreenCheckOfAQueueSaysHowFarItWasTried(t *testing.T) {
	tb := tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckQueue(tb, func() model.Queue { return terse{variant(tb, "")()} }, simtest.Claims(queuetest.Fence), simtest.Runs(300))
	})
	const says = "374 redeliveries of a job that nobody had settled; 36 stale requests by an earlier delivery, of which 36 refused"
	if tb.Broke || !strings.Contains(tb.Text(), says) || strings.Contains(tb.Text(), "in 0") {
		t.Errorf("it failed: %t\n%s", tb.Broke, tb.Text())
	}
}

// TestAClaimThatNoWorldAsksAboutIsNamed: a queue that serves the newest first holds all
// worlds if it does not tell what it touches, and only queuetest.Run sees it.
func TestAClaimThatNoWorldAsksAboutIsNamed(t *testing.T) {
	claims := []queuetest.Capability{queuetest.Ordered, queuetest.Dedup, queuetest.Conserving, queuetest.ByToken, queuetest.Schedules}
	for newest, says := range map[bool]string{
		true:  "these worlds say nothing about by-token, dedup, ordered, conserving, schedules: queuetest.Run asks for it",
		false: "these worlds say nothing about by-token, schedules: queuetest.Run asks for it",
	} {
		newQueue := variant(t, "")
		if newest {
			newQueue = blinded(variant(t, "lifo"))
		}
		tb := tbtest.Run(t, func(tb testing.TB) { simtest.CheckQueue(tb, newQueue, simtest.Claims(claims...), simtest.Runs(300)) })
		if tb.Broke || !strings.Contains(tb.Text(), says) {
			t.Errorf("it failed: %t\n%s", tb.Broke, tb.Text())
		}
	}
}

// TestAClaimThatIsNeverTriedIsRed in the worlds that are there by default, and said in
// those that the user made.
func TestAClaimThatIsNeverTriedIsRed(t *testing.T) {
	never := blinded(variant(t, "reap-forgets")) // what is out never comes back
	may := simtest.MayBreak("drains")
	claims := simtest.Claims(queuetest.Fence, queuetest.DeadLetters)
	tb := failingQueue(t, never, may, claims, simtest.Runs(300))
	const says = "in 300 worlds some of what the queue claims was not tried, so that nothing is known of it: no job that was out"
	if !strings.Contains(tb.Text(), says) {
		t.Error(tb.Text())
	}
	for name, opts := range map[string][]simtest.Option{
		"few worlds": {may, claims, simtest.Runs(20)},
		"own world":  {claims, simtest.Runs(300), simtest.Chaos("duplicate complete rate=5%")},
		"own size":   {claims, simtest.Runs(300), simtest.Workers(1), simtest.Jobs(1), simtest.MaxAttempts(1)},
	} {
		tb := tbtest.Run(t, func(tb testing.TB) { simtest.CheckQueue(tb, variant(tb, ""), opts...) })
		if said := strings.Contains(tb.Text(), "was not tried"); tb.Broke || said != strings.HasPrefix(name, "own") {
			t.Errorf("%s: it failed: %t\n%s", name, tb.Broke, tb.Text())
		}
	}
}
