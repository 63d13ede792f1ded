package exhaust_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// Worlds that were once judged wrongly, or ended the search.

// misjudged explores a small world up to so many faults, and looks for a property.
func misjudged(t *testing.T, text string, faults int, properties ...string) *exhaust.Report {
	t.Helper()
	w := newWorld(t, text, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds})
	r, err := w.Explore(explore.Options{Faults: faults, Cores: 2}, properties...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A heartbeat of a path whose job comes to the worker without one divided by nought.
func TestOneOfTwoWorkersMayHaveNoHeart(t *testing.T) {
	r := misjudged(t, "story s\nqueue echomq\nworker w1\nworker w2 heartbeat=10s\njob J1\n", 1)
	if len(r.Sought) != 1 || r.AbstractOnly() > 0 {
		t.Errorf("%d breaches, %d of them without a story", len(r.Sought), r.AbstractOnly())
	}
}

// Two programs for one job ran one after the other, so that a marker which is looked for
// by both before either sets it was certified: the very same instant is enough for that. A
// transaction looks again.
func TestProgramsInterleaveAtTheVerySameInstant(t *testing.T) {
	const early = "queue echomq variant=hardened\nworker w1 ack=early consumer=%s\nworker w2 ack=early consumer=%s\njob J1\n"
	for _, c := range []struct {
		text     string
		faults   int
		isBroken bool
	}{
		{fmt.Sprintf(early, "marker-first", "marker-first"), 1, true},
		{fmt.Sprintf(early, "marker-last", "marker-first"), 1, true},
		{fmt.Sprintf(early, "atomic", "marker-first"), 1, true},
		{fmt.Sprintf(early, "marker-last", "atomic"), 1, true},
		{fmt.Sprintf(early, "atomic", "atomic"), 1, false},
		{"queue echomq\nworkers 2 consumer=marker-last heartbeat=10s\njob J1 fails=1\n", 0, true},
	} {
		r := misjudged(t, "story s\n"+c.text, c.faults, "no-duplicate-effect")
		if (len(r.Sought) == 1) != c.isBroken || r.AbstractOnly() > 0 {
			t.Fatalf("%d breaches, %d of them without a story\n%s", len(r.Sought), r.AbstractOnly(), c.text)
		}
		for i := range r.Sought {
			confirm(t, &r.Sought[i])
		}
	}
}

// The bound of claims is asked of the job that the queue serves first, which is not that
// of the smallest id where the queue says otherwise: an eighth claim had no room.
func TestTheBoundOfClaimsIsThatOfTheJobThatIsServed(t *testing.T) {
	text := "story s\nqueue echomq variant=lifo reap-every=off sweep-every=1s max-stalled=2\nproducer p retries=2\n" +
		"workers 1 consumer=fenced heartbeat=7s work=15s\njob J1\njob J2 at=40s\n"
	r := misjudged(t, text, 1, "drains")
	if r.Result.Ending != explore.Exhausted || r.Result.Drained == nil {
		t.Errorf("the search is %s", r.Result.Ending)
	}
}

// A sight ends no search for what is to be kept, and one of two sights none for the other.
func TestASightEndsNoSearchForABreach(t *testing.T) {
	const text = "story s\nqueue echomq\nproducer p retries=0\nworkers 2 consumer=naive\njob J1\n"
	found := func(properties ...string) string {
		var names []string
		r := misjudged(t, text, 2, properties...)
		for _, f := range r.Sought {
			names = append(names, f.Property)
		}
		if r.Result.Ending == explore.Stopped {
			names = append(names, "and stopped")
		}
		return strings.Join(names, ", ")
	}
	for _, c := range []struct{ asked, want string }{
		{"saw-redelivery", "saw-redelivery, and stopped"},
		{"saw-redelivery,saw-expiry", "saw-expiry, saw-redelivery, and stopped"},
		{"saw-expiry,no-duplicate-effect", "no-duplicate-effect, saw-expiry, and stopped"},
		{"saw-expiry,attempts-bounded", "saw-expiry"},
		{"saw-expiry,drains", "saw-expiry"},
	} {
		if got := found(strings.Split(c.asked, ",")...); got != c.want {
			t.Errorf("%s: found %q, not %q", c.asked, got, c.want)
		}
	}
}

// What is slow is judged by how long a lease holds: messages take the jitter longer, and
// a queue may take a job back before the lease that it granted is over.
func TestALeaseEndsAsEarlyAsTheQueueEndsIt(t *testing.T) {
	for _, c := range []struct{ name, text, property string }{
		{"jitter", "queue echomq reap-every=10ms\nnetwork latency=5ms jitter=50ms\nworkers 2 work=29.9s consumer=naive", "no-duplicate-effect"},
		{"a reaper that comes early", "queue echomq variant=early-expiry\nworkers 2 work=20s", "single-holder"},
		{"an extend that shortens", "queue echomq variant=shortening-extend\nworkers 2 consumer=naive heartbeat=20s work=45s", "no-duplicate-effect"},
	} {
		r := misjudged(t, "story s\n"+c.text+"\njob J1\n", 0, c.property)
		if len(r.Sought) != 1 || r.AbstractOnly() > 0 {
			t.Errorf("%s: %s is broken in %d ways without a fault, %d without a story", c.name, c.property, len(r.Sought), r.AbstractOnly())
		}
	}
	r := misjudged(t, "story s\nqueue echomq variant=early-expiry\nworkers 2 consumer=naive work=10s\njob J1\n", 0, "no-duplicate-effect")
	if len(r.Sought) != 0 {
		t.Errorf("work of 10s is not over before half of 30s")
	}
}

// A lease that somebody else has shortened is taken back before it is over, which was said
// only of one that the holder shortens itself.
func TestSomebodyElseMayShortenALease(t *testing.T) {
	const world = "story s\nqueue echomq variant=shortening-extend\nproducer p retries=0\nworkers 2 work=25s\njob J1\n"
	out, err := parse(t, world+"chaos off\ndo enqueue J1 time=26s\ndo extend J1#1 by=w1 time=27s\n").Run(scenarios.Options{})
	if err != nil || !isBroken(out, "single-holder") {
		t.Fatalf("in time nothing breaks: %v", err)
	}
	w := newWorld(t, world, exhaust.Scope{Claims: 3, Kinds: exhaust.Drop, Acts: []model.Op{model.OpEnqueue, model.OpExtend}})
	r, err := w.Explore(explore.Options{Faults: 2}, "single-holder")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sought) != 1 || r.AbstractOnly() > 0 {
		t.Errorf("single-holder breaks in %d ways, %d of them without a story", len(r.Sought), r.AbstractOnly())
	}
}

// An early settlement does not wait for the work, so that no lease lapses by it.
func TestAnEarlyAckDoesNotWaitForTheWork(t *testing.T) {
	r := misjudged(t, "story s\nqueue echomq\nworkers 2 work=40s ack=early\njob J1\n", 0)
	if len(r.Sought) != 0 {
		t.Errorf("%s is broken without a fault", r.Sought[0].Property)
	}
}

// Each time that something is sent again takes a fault before, so that all are explored.
func TestNothingIsSentAgainLessOftenThanTheStorySays(t *testing.T) {
	for _, lines := range []string{"producer p retries=0\nworker w1 settle-retries=5", "producer p retries=5\nworker w1"} {
		w := newWorld(t, "story s\nqueue echomq\n"+lines+"\njob J1\n", exhaust.Scope{Claims: 1, Kinds: exhaust.Drop})
		r, err := w.Explore(explore.Options{Faults: 8}, "attempts-bounded")
		if err != nil {
			t.Fatal(err)
		}
		if lost := len(r.Result.Layers) - 1; lost != 6 {
			t.Errorf("%s: at most %d messages are lost, not 6", lines, lost)
		}
	}
}

// Who gives up before an answer can be there hears none without any fault, and that is
// not explored: such a world is refused.
func TestImpatienceIsRefused(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{"producer p timeout=50ms\nworker w1", `producer "p" gives up after 50ms`},
		{"worker w1 timeout=200ms", `worker "w1" gives up after 200ms, and an answer can take 200ms`},
	} {
		_, err := exhaust.New(parse(t, "story s\nqueue echomq\nnetwork latency=60ms jitter=40ms\n"+c.lines+"\njob J1\n"), exhaust.Scope{Claims: 3})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.lines, err)
		}
	}
}

// What is named twice counts once.
func TestAnActCountsOnce(t *testing.T) {
	if acts, err := exhaust.ParseActs("remove,extend,remove"); err != nil || len(acts) != 2 {
		t.Errorf("%v, %v", acts, err)
	}
}
