package exhaust_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// A heart that beats within a round trip beats while its worker's early settlement is
// under way: one fault more and the stale heartbeat is taken for the new holder's. The
// search has no such step, and says so.
func TestAHeartThatBeatsBehindAnEarlySettlementLeavesTheWorldOpen(t *testing.T) {
	const world = "queue echomq\nnetwork latency=50ms\nproducer p retries=0\nworker w1 ack=early heartbeat=%\n" +
		"worker w2 ack=early heartbeat=% poll=500ms\njob J1 at=290ms\n"
	out, err := parse(t, strings.ReplaceAll(world, "%", "90ms")+"chaos off\nfault duplicate enqueue J1 after=270ms\nexpect broken stale-token-rejected\n").Run(scenarios.Options{})
	if err != nil || out.Met != scenarios.Yes {
		t.Fatalf("in time nothing breaks: %v, %v", out, err)
	}
	for beat, open := range map[string]bool{"90ms": true, "100ms": true, "101ms": false} {
		w := newWorld(t, strings.ReplaceAll(world, "%", beat), exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds})
		if got := strings.HasPrefix(w.Unexplored(1), "heartbeats of worker \"w1\""); got != open {
			t.Errorf("heartbeat=%s: open is %v: %q", beat, got, w.Unexplored(1))
		}
	}
}

// Tokens of a queue that counts them over all jobs do not fit into a state where there are
// many claims: it is refused, and not found out in the middle.
func TestAWorldWithMoreTokensThanAStateHasRoomForIsRefused(t *testing.T) {
	const world = "queue echomq % reap-every=off promote-every=off\nworker w1\njobs 6 fails=3\n"
	scope := exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds}
	if _, err := exhaust.New(parse(t, strings.Replace(world, "%", "variant=hardened", 1)), scope); err == nil || !strings.Contains(err.Error(), "6 jobs of 3 claims each can take 18 (--jobs, --claims)") {
		t.Errorf("hardened: %v", err)
	}
	w := newWorld(t, strings.Replace(world, "%", "", 1), scope)
	if _, err := w.Explore(explore.Options{MaxStates: 1000}, "no-loss"); err != nil {
		t.Errorf("as built: %v", err)
	}
}
