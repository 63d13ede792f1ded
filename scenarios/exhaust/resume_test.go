package exhaust_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// told is what a report says, but for how much was kept.
func told(r *exhaust.Report) (list []string) {
	x := r.Result
	list = append(list, fmt.Sprint(x.Ending, x.States, x.Transitions, x.Slept, x.Depth, x.Layers))
	if d := x.Drained; d != nil {
		list = append(list, fmt.Sprint(d.Edge, d.Beyond, d.Stuck, d.Judged, d.Fair, d.Unfair, d.Doubts))
	}
	for _, f := range r.Findings {
		list = append(list, fmt.Sprint(f.Property, f.Verb, f.State, f.Faults, f.Path))
	}
	return list
}

// A world is explored at once, and in parts, each by a world that knows nothing of the
// states of the queue that an earlier one has met: both come to the same.
func TestAWorldThatWasLeftIsExploredToTheSameEnd(t *testing.T) {
	parts := 0
	for i := range 24 {
		d := draws{seed: model.Seed(i).Fork("parts")}
		text := d.alikeStory(alikeVariants...)
		scope := sleepScope(&d, i)
		o := explore.Options{Faults: 1, MaxStates: 10_000, Cores: 1 + i%2, Sleep: i%3 == 0, Drains: i%3 == 1}
		scope.Symmetry, scope.PartialOrder = i%4 > 1 && !o.Drains, i%3 == 2
		property := exhaust.Names[i%8]
		if o.Drains {
			property = "drains"
		}
		whole, err := newWorld(t, text, scope).Explore(o, property)
		if err != nil {
			t.Fatal(err)
		}
		if whole.Result.Ending == explore.Full {
			continue
		}
		for o.MaxStates = 1 + whole.Result.States/3; ; o.MaxStates += whole.Result.States / 3 {
			r, err := newWorld(t, text, scope).Explore(o, property)
			if err != nil {
				t.Fatal(err)
			}
			if r.Result.Ending != explore.Full {
				if diff := cmp.Diff(told(whole), told(r)); diff != "" {
					t.Fatalf("%s\n%s%+v", diff, text, scope)
				}
				break
			}
			var file bytes.Buffer
			if err := r.Result.Save(&file); err != nil {
				t.Fatal(err)
			}
			o.Resume = bytes.NewReader(file.Bytes())
			parts++
		}
	}
	t.Logf("%d parts", parts)
	if parts < 30 {
		t.Error("too few searches were left")
	}
}
