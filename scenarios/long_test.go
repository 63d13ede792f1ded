package scenarios_test

import (
	"runtime"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// A run that forgets its history needs no more memory the longer it is: a hundred
// workers renew their leases every 10 ms, for as many steps as they are let.
func TestALongRunNeedsNoMoreMemoryThanAShortOne(t *testing.T) {
	story := mustParse(t, "beats", `story  beats
queue  echomq lease=1s reap-every=100ms max-attempts=3
workers 100 consumer=atomic work=23h heartbeat=10ms timeout=500ms
producer p
jobs   100 every=1ms
horizon 24h
`)
	runner := scenarios.NewRunner()
	allocated := func(steps int64) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := runner.Run(story, scenarios.Options{Forget: true, MaxSteps: steps})
		if err != nil || out.Steps != steps {
			t.Fatalf("%v, after %d steps of %d", err, out.Steps, steps)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(300_000) // makes room for what a run needs
	short, long := allocated(30_000), allocated(600_000)
	if long > short+1<<20 { // the buckets of the agenda may still grow
		t.Errorf("%d bytes for 600,000 steps, %d for 30,000", long, short)
	}
}
