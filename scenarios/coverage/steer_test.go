package coverage_test

import (
	"testing"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// A steered world is a world as any other: told as a story it leaves the same history.
// The same campaign steers twice in the same way.
func TestASteeredWorldIsToldAsAStory(t *testing.T) {
	for _, c := range campaigns(t) {
		one, two := coverage.Steer(c, scenarios.NewRunner(), 1), coverage.Steer(c, scenarios.NewRunner(), 1)
		for n := range 60 {
			w, err := one.Next()
			if err != nil {
				t.Fatal(err)
			}
			again, err := two.Next()
			if err != nil {
				t.Fatal(err)
			}
			told, err := c.Tell(w).Run(scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			digest := w.Outcome.History.Digest
			if again.Outcome.History.Digest != digest || told.History.Digest != digest {
				t.Errorf("%s, world %d leaves %v, again %v, told %v", c.Story.Name, n+1, digest, again.Outcome.History.Digest, told.History.Digest)
			}
		}
		if n := one.Map().Runs(); n != 60 {
			t.Errorf("%s: of 60 worlds %d are in the map", c.Story.Name, n)
		}
	}
}
