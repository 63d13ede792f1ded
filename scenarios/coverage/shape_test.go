package coverage

import (
	"slices"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// In which state each job is follows from what an event is about and touches: nobody asks
// for all jobs after each.
func TestAStateChangesWithWhatIsTouched(t *testing.T) {
	for _, name := range scenarios.Catalogue() {
		s, err := scenarios.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := scenarios.NewCampaign(s)
		if err != nil {
			t.Fatal(err)
		}
		for seed := uint64(1); c != nil && seed < 6; seed++ {
			w, err := scenarios.NewRunner().World(c, seed, true)
			if err != nil {
				t.Fatal(err)
			}
			h := w.Outcome.History
			ledger := newPump(s).ledger
			jobs := newCrowd(len(h.Names.Jobs), ledger)
			for i := range h.Events {
				jobs.observe(&h.Events[i], h.TouchedBy(h.Events[i].Seq), ledger)
				for job, is := range jobs.states {
					if want := ledger.State(model.Job(job)); job > 0 && is != want {
						t.Fatalf("%s, seed %d, event %d: job %d is taken for %s, and is %s", name, seed, i+1, job, is, want)
					}
				}
			}
		}
	}
}

// Which job is in which state makes no shape, nor a few more of many.
func TestAShapeHasNoNames(t *testing.T) {
	shape := func(states ...string) string {
		var c crowd
		for _, s := range states {
			c.of(s).jobs++
		}
		return c.shape()
	}
	many := func(n int) []string { return slices.Repeat([]string{model.StatePending}, n) }
	for _, alike := range [][2]string{
		{shape(model.StateActive, model.StatePending), shape(model.StatePending, model.StateActive)},
		{shape(many(4)...), shape(many(7)...)},
		{shape(many(512)...), shape(many(1023)...)},
	} {
		if alike[0] != alike[1] {
			t.Errorf("%q and %q are two shapes", alike[0], alike[1])
		}
	}
	for _, other := range [][2]string{
		{shape(many(2)...), shape(many(3)...)}, {shape(many(3)...), shape(many(4)...)}, {shape(many(7)...), shape(many(8)...)},
		{shape(model.StateActive, model.StateActive), shape(model.StatePending, model.StateActive)},
	} {
		if other[0] == other[1] {
			t.Errorf("both are %q", other[0])
		}
	}
}
