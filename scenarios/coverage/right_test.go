package coverage_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// Steering finds no fault with what is right, and lets nothing happen that no chaos line of the
// story can do, nor worse than it says: a chunk of each story of the catalogue but the mutants.
func TestWhatIsRightStaysRightWhenSteered(t *testing.T) {
	for _, name := range scenarios.Catalogue() {
		if strings.HasPrefix(name, "mutants/") {
			continue
		}
		c, err := scenarios.NewCampaign(load(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if c != nil { // else chaos is off
			staysRight(t, c, coverage.SteerInChunks(c, scenarios.NewRunner(), 1))
		}
	}
}

// Nor does it where empty cells are sought.
func TestWhatIsSoughtIsWhatMayHappen(t *testing.T) {
	for _, c := range campaigns(t) {
		s := coverage.Steer(c, scenarios.NewRunner(), 1)
		s.Seek(&coverage.Map{})
		staysRight(t, c, func(uint64) (*scenarios.World, error) { return s.Next() })
	}
}

func staysRight(t *testing.T, c *scenarios.Campaign, next func(seed uint64) (*scenarios.World, error)) {
	t.Helper()
	policy, _ := c.Policy()
	for n := range uint64(coverage.Chunk) {
		w, err := next(1 + n)
		if err != nil {
			t.Fatal(err)
		}
		if len(w.Unexpected) > 0 {
			t.Errorf("%s, world %d: broken %v", c.Story.Name, n+1, w.Unexpected)
		}
		for _, e := range w.Plan {
			if !slices.ContainsFunc(policy, func(r faults.Rule) bool { return can(&r, &e) }) {
				t.Errorf("%s, world %d: no chaos line does this: %s", c.Story.Name, n+1, e.Text(&c.Story.Cast().Names))
			}
		}
	}
}

// can reports whether a rule may do what the entry says. What is not over when all goes quiet ends
// then: it may be shorter than the rule says.
func can(r *faults.Rule, e *faults.Entry) bool {
	o, at := &e.Outcome, e.Point
	if r.Kind != o.Kinds || !within(o.By+o.After, r.By.Low, r.By.High) ||
		!within(o.For, 0, r.For.High) || !within(o.Restart, 0, r.Back.High) {
		return false
	}
	if at.Family == faults.Message {
		return at.Reply == r.Reply && r.Ops[at.Op]
	}
	return r.Procs[at.Proc]
}

func within(d, low, high time.Duration) bool { return low <= d && d <= high }
