package scenarios_test

import (
	"slices"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// A world of the second adversary is a world as any other: the same in every runner,
// whatever that ran before, and told as a story it leaves the same history.
func TestAPrioritisedWorldIsAFunctionOfItsSeed(t *testing.T) {
	one, two := scenarios.NewRunner(), scenarios.NewRunner()
	struck := 0
	for _, name := range []string{"reference", "lost-ack", "mutants/no-fence", "mutants/push-without-id", "scorer-as-built"} {
		c := campaign(t, load(t, name))
		for seed := range uint64(60) {
			w, err := one.PrioritisedWorld(c, seed, true)
			if err != nil {
				t.Fatal(err)
			}
			digest, told := w.Outcome.History.Digest, c.Tell(w)
			world(t, two, c, seed, false) // of the first adversary
			again, err := two.PrioritisedWorld(c, seed, false)
			if err != nil {
				t.Fatal(err)
			}
			out, err := told.Run(scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if again.Outcome.History.Digest != digest || out.History.Digest != digest {
				t.Errorf("%s, seed %d leaves %v, again %v, told %v", name, seed, digest, again.Outcome.History.Digest, out.History.Digest)
			}
			if slices.Max(w.Struck) > 0 {
				struck++
			}
		}
	}
	if struck < 200 {
		t.Errorf("only %d of 300 worlds were struck", struck)
	}
}
