package echomq_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// A pump that sleeps until NextDue misses nothing: a millisecond before, its
// verbs find nothing; at that instant they find something.
func TestNothingIsDueBeforeNextDueAndSomethingIsAtIt(t *testing.T) {
	const ms = model.Time(1_000_000)
	verbs := []model.Op{model.OpEnqueue, model.OpEnqueueIn, model.OpClaim, model.OpComplete, model.OpRetry, model.OpExtend}
	for _, variant := range []string{"", "early-expiry", "two-clock-reads", "pop-then-mark"} {
		rapid.Check(t, func(t *rapid.T) {
			q, err := echomq.New(variant)
			if err != nil {
				t.Fatal(err)
			}
			now := model.Time(0)
			for range rapid.IntRange(1, 12).Draw(t, "requests") {
				now += ms * model.Time(rapid.IntRange(0, 20).Draw(t, "later"))
				q.Apply(now, drawRequest(t, rapid.SampledFrom(verbs).Draw(t, "verb"), now))
			}
			lapse, run := q.NextDue()
			for i, op := range []model.Op{model.OpReap, model.OpSweep, model.OpPromote} {
				if op == model.OpSweep && variant == "two-clock-reads" {
					continue // it reads its clock once, and is due later than the reap
				}
				due := []model.Time{lapse, lapse, run}[i]
				never := due == model.Never
				if never {
					due = now + 1<<50
				}
				find := func(at model.Time) int {
					r := q.Clone().Apply(at, model.Request{Op: op, Max: 9})
					return r.Moved + r.Dead
				}
				if n := find(due - ms); n > 0 {
					t.Fatalf("%s finds %d before they are due at %s", op, n, due)
				}
				if n := find(due); n == 0 != never {
					t.Fatalf("%s finds %d when they are due at %s", op, n, due)
				}
			}
		})
	}
}
