package exhaust_test

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// What a reap takes, and when, is the queue's own word.

// A queue that marks leases by their first extend takes the first that is marked, and not
// before that one is over: the end of another's lease is no reason.
func TestAReapTakesWhatTheQueueSaysIsDue(t *testing.T) {
	const world = "story s\nqueue echomq variant=pop-then-mark\nproducer p retries=0\nworkers 2 heartbeat=10s\njobs 2\n"
	w := newWorld(t, world, exhaust.Scope{Claims: 2, Kinds: exhaust.Crash, Symmetry: true})
	r, err := w.Explore(explore.Options{Faults: 1}, "single-holder")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Sought {
		if !f.Reach {
			t.Errorf("%s is broken with %d faults, in no run", f.Property, f.Faults)
		}
	}
	if _, ok := fewestFaults(r.Result)["saw-expiry"]; !ok {
		t.Error("nothing is taken at all")
	}
}

// A queue that takes jobs early does so as well where somebody beside its pumps says so.
func TestAReapThatIsAskedForComesAsEarlyAsThoseOfAPump(t *testing.T) {
	const world = "story s\nqueue echomq variant=early-expiry reap-every=off\nproducer p retries=0\nworkers 2 work=20s\njob J1\n"
	out, err := parse(t, world+"chaos off\ndo reap time=16s\n").Run(scenarios.Options{})
	if err != nil || !isBroken(out, "single-holder") {
		t.Fatalf("it keeps single-holder: %v", err)
	}
	w := newWorld(t, world, exhaust.Scope{Claims: 2, Acts: []model.Op{model.OpReap}})
	r, err := w.Explore(explore.Options{Faults: 1}, "single-holder")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sought) == 0 || r.Sought[0].Property != "single-holder" || r.Sought[0].Concrete == nil {
		t.Fatalf("a run breaks it, and the search does not, or has no story: %+v", r.Sought)
	}
	confirm(t, &r.Sought[0])
}
