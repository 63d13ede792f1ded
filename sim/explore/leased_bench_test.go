package explore_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/ackgap/ackgap/sim/explore"
)

// TestTheLeasedQueueHasAsManyStatesAsItsPeersCount holds the small world to what Spin
// and Stateright find in it: testdata/peers/run compares a larger one.
func TestTheLeasedQueueHasAsManyStatesAsItsPeersCount(t *testing.T) {
	for _, o := range []explore.Options{{}, {Compact: true}, {DepthFirst: true}} {
		if r := run(t, &leased{2, 2, 2, 2}, o); r.States != 15182 || r.Transitions != 65706 || len(r.Found) > 0 {
			t.Errorf("%+v: %d states, %d transitions, %d found", o, r.States, r.Transitions, len(r.Found))
		}
	}
}

// BenchmarkLeased is the search that testdata/peers/run compares with others. The world
// is LEASED, four numbers: jobs, workers, claims of a job, faults.
func BenchmarkLeased(b *testing.B) {
	l := &leased{3, 3, 2, 2}
	if text := os.Getenv("LEASED"); text != "" {
		if _, err := fmt.Sscan(text, &l.jobs, &l.workers, &l.claims, &l.faults); err != nil {
			b.Fatal(err)
		}
	}
	if l.jobs > 3 || l.workers > 4 || l.claims > 3 || l.faults > 127 {
		b.Fatal("a state has room for 3 jobs, 4 workers, 3 claims of a job and 127 faults")
	}
	for _, o := range []explore.Options{{}, {DepthFirst: true}, {Compact: true}} {
		b.Run(fmt.Sprintf("depth-first=%t/compact=%t", o.DepthFirst, o.Compact), func(b *testing.B) {
			states, kept := 0, int64(0)
			for b.Loop() {
				r, err := explore.Run(l, o)
				if err != nil {
					b.Fatal(err)
				}
				states, kept = states+r.States, r.Bytes
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(kept)/float64(states/b.N), "bytes/state")
			b.ReportMetric(float64(states/b.N), "states")
		})
	}
}
