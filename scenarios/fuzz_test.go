package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// FuzzPlan reads a string of bytes as a plan within the reference envelope, five
// bytes a fault, and runs it twice over one world: with naive consumers, whose
// effects may double while all else holds, and with atomic ones, where all holds.
// It begins with the plans of the catalogue, as far as the envelope has them.
func FuzzPlan(f *testing.F) {
	for _, name := range scenarios.Catalogue() {
		story, err := scenarios.Load(name)
		if err != nil {
			f.Fatal(err)
		}
		if b := planBytes(story); len(b) > 0 {
			f.Add(b)
		}
	}
	naive, atomic := newSmall(f, "naive"), newSmall(f, "atomic")
	f.Fuzz(func(t *testing.T, b []byte) {
		const most = 24 // faults; more of them take long and show nothing else
		var list []draft
		for chunk := range slices.Chunk(b[:min(len(b), most*len(draft{}))], len(draft{})) {
			var d draft
			copy(d[:], chunk)
			list = append(list, d)
		}
		plan := planOf(list)
		if bad := naive.run(t, plan); len(bad) > 1 || len(bad) == 1 && bad[0] != "no-duplicate-effect" {
			t.Errorf("%s:\n%s", strings.Join(bad, ", "), naive.text(plan))
		}
		if bad := atomic.run(t, plan); len(bad) > 0 {
			t.Errorf("%s:\n%s", strings.Join(bad, ", "), atomic.text(plan))
		}
	})
}

// planBytes writes the faults of a story as FuzzPlan reads them.
func planBytes(s *scenarios.Story) (b []byte) {
	for _, e := range s.Plan {
		if d, ok := draftOf(e); ok {
			b = append(b, d[:]...)
		}
	}
	return b
}

// The catalogue gives the fuzzer something to begin with, of every family.
func TestTheCatalogueSeedsTheFuzzer(t *testing.T) {
	plans, seen := 0, map[byte]bool{}
	for _, name := range scenarios.Catalogue() {
		b := planBytes(load(t, name))
		if len(b) > 0 {
			plans++
		}
		for i := what; i < len(b); i += len(draft{}) {
			seen[b[i]] = true
		}
	}
	if plans < 40 || len(seen) < 20 {
		t.Errorf("%d plans with %d of %d forms", plans, len(seen), len(forms))
	}
}
