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

// How often is said by `count`, which neither way exceeds: one step of the clock by ten seconds
// makes no lease of thirty lapse under work of fifteen, and two do; no window makes none.
func TestThereAreNoMoreWindowsThanTheStorySays(t *testing.T) {
	for _, lines := range []string{
		"chaos clock queue rate=100% jump=+10s..+10s count=0..1",
		"chaos clock queue rate=100% jump=+10s..+10s count=1\nchaos clock queue rate=100% jump=+1s..+1s count=0..3",
		"chaos clock queue rate=100% jump=+40s..+40s count=0\nchaos drop claim rate=5%",
	} {
		text := "queue echomq lease=30s\nworkers 2 consumer=naive work=15s\njobs 3\nquiet time=2m\n" + lines + "\n"
		story, err := scenarios.Parse("windows", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		c, runner := campaign(t, story), scenarios.NewRunner()
		staysRight(t, c, coverage.SteerInChunks(c, runner, 1))
		staysRight(t, c, func(seed uint64) (*scenarios.World, error) { return runner.PrioritisedWorld(c, seed, true) })
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
	return r.Procs[at.Proc] && (at.Family != faults.Slot || uint32(at.Nth) <= r.Count.High)
}

func within(d, low, high time.Duration) bool { return low <= d && d <= high }
