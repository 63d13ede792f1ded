package exhaust_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// A worker's heart beats until the answer to its settlement is there. What it sent last comes
// when others have spoken behind the settlement.

// TestAHeartbeatComesBehindAClaimThatIsBehindItsSettlement has runs in which it does, and
// looks for what they break with as many faults.
func TestAHeartbeatComesBehindAClaimThatIsBehindItsSettlement(t *testing.T) {
	for _, c := range []struct{ name, world, plan string }{
		{"of a job that was reaped while its worker stood still",
			"queue echomq\nnetwork latency=400ms\nworkers 2 work=100ms heartbeat=15.7s\njob J1\nchaos off\n",
			"fault pause w1 before=apply J1#1 for=30.5s\n"},
		{"of a job that was to be retried",
			"queue echomq variant=no-extend-fence retry-delay=1ms promote-every=10ms\nnetwork latency=400ms\n" +
				"worker w1 work=1.6s heartbeat=300ms poll=10ms\nworker w2 work=20ms poll=10ms\njob J1 fails=1\njob J2\nchaos off\n",
			""},
	} {
		const property = "stale-token-rejected"
		out, err := parse(t, "story s\n"+c.world+c.plan).Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !isBroken(out, property) {
			t.Errorf("%s: the run keeps %s", c.name, property)
		}
		w := newWorld(t, "story s\n"+c.world, exhaust.Scope{Claims: 2, Kinds: exhaust.DefaultKinds})
		r, err := explore.Run[exhaust.State](w, explore.Options{Faults: strings.Count(c.plan, "\n")})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := fewestFaults(r)[property]; !ok {
			t.Errorf("%s: %s is certified, and broken in a run", c.name, property)
		}
	}
}

// A job that its settlement postpones for longer than the last heartbeats are on their way is
// claimed behind them. In a run it is as well: w1 settles 0.9ms behind a whole millisecond, which
// is all that the queue's clock shows, so that a delay of 800ms is over within a round trip.
func TestNothingIsPromotedBeforeItsTimeAmongTheLastHeartbeats(t *testing.T) {
	const property = "stale-token-rejected"
	for delay, breaks := range map[string]bool{"1ms": true, "400ms": true, "800ms": true, "801ms": false, "802ms": false, "5s": false} {
		world := "story s\nqueue echomq variant=no-extend-fence promote-every=1ms retry-delay=" + delay + "\nnetwork latency=400ms\n" +
			"worker w1 work=1600.9ms heartbeat=300.05ms poll=10ms\nworker w2 work=20ms poll=10ms\njob J1 fails=1\njob J2\n"
		r, err := newWorld(t, world, exhaust.Scope{Claims: 2, Kinds: exhaust.DefaultKinds}).Explore(explore.Options{}, property)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := fewestFaults(r.Result)[property]; ok != breaks {
			t.Errorf("retry-delay=%s: a heartbeat comes behind the claim is %t", delay, ok)
		}
		broken := 0
		for i := range 400 { // w2 asks at all times, and again and again around the end of 800ms
			work := time.Duration(10*i) * time.Millisecond
			if i >= 200 {
				work = 780*time.Millisecond + time.Duration(i-200)*200*time.Microsecond
			}
			run := strings.Replace(world, "work=20ms", fmt.Sprintf("work=%v", work), 1)
			out, err := parse(t, run+"chaos off\n").Run(scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if isBroken(out, property) {
				broken++
			}
		}
		if (broken > 0) != breaks {
			t.Errorf("retry-delay=%s: %d runs break it", delay, broken)
		}
	}
}

// TestTheLastHeartbeatsHaveTheirStories asks for the story of all that goes wrong in such a
// world, most of it by heartbeats that come late without a fault.
func TestTheLastHeartbeatsHaveTheirStories(t *testing.T) {
	const world = "story s\nqueue echomq\nnetwork latency=400ms\nworkers 2 work=100ms heartbeat=15.7s\njob J1\n"
	r, err := newWorld(t, world, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds}).ExploreAll(explore.Options{Faults: 1})
	if err != nil {
		t.Fatal(err)
	}
	behind := 0
	for k := range r.Sought {
		f := &r.Sought[k]
		if f.Concrete == nil {
			t.Errorf("abstract only: %s by %s while the job is %s\n%s", f.Property, f.Verb, f.State, strings.Join(f.Path, "\n"))
			continue
		}
		confirm(t, f)
		if f.Property == "stale-token-rejected" && f.Verb == model.OpExtend {
			behind++
		}
	}
	if len(r.Sought) < 10 || behind < 2 {
		t.Errorf("only %d root causes, %d of them heartbeats behind a claim", len(r.Sought), behind)
	}
}
