package exhaust_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// What the faults of a search were not is said, where their kinds could be taken for more.
func TestACertificateSaysWhatItsFaultsWereNot(t *testing.T) {
	const all = exhaust.DefaultKinds
	for _, c := range []struct {
		worker string
		kinds  exhaust.Kinds
		want   string
	}{
		{"", all, ""},
		{"", all | exhaust.Jump | exhaust.LoseWrites, "the clock forward only, a queue that crashes back at once"},
		{"heartbeat=10s", all, ""}, // it waits no longer, or has the answer: it goes on alike
		{"heartbeat=10s ack=early", all, "no answer late but in time"},
		{"heartbeat=10s settle-retries=1", all, "no answer late but in time"},
		{"heartbeat=10s consumer=external", all, "no answer late but in time"},
		{"settle-retries=1 ack=early", all, ""},
		{"heartbeat=10s ack=early", all &^ exhaust.Delay, ""},
		{"", all &^ exhaust.DropReply, "no answer late"},
	} {
		w := newWorld(t, "story s\nqueue echomq\nworker w1 "+c.worker+"\njob J1\n", exhaust.Scope{Claims: 3, Kinds: c.kinds})
		if got := strings.Join(w.Provisos(1), ", "); got != c.want || w.Provisos(0) != nil {
			t.Errorf("%s, %s: %q, not %q", c.worker, c.kinds, got, c.want)
		}
	}
}

// What is said there is so: a run breaks what is certified with as many faults.
func TestWhatACertificateDoesNotSayCanBe(t *testing.T) {
	for _, c := range []struct{ world, plan, acts, property, proviso string }{
		{"queue echomq reap-every=off\nproducer p retries=0\nworker w1 ack=early heartbeat=1s\nworker w2 work=10s\njob J1\n",
			"fault delay-reply complete J1#1 by=4s\ndo enqueue J1 time=500ms\n", "enqueue", "stale-token-rejected", "no answer late"},
		{"queue echomq variant=no-extend-fence lease=30s max-attempts=2 reap-every=100ms\nnetwork latency=1ms\nproducer p retries=1\n" +
			"worker w1 consumer=natural work=1m timeout=10s poll=50ms heartbeat=6s ack=early\njob J1 fails=1\njob J2 at=29.999s\n",
			"fault crash queue time=5ms lose=1w restart=1us\n", "", "one-place", "a queue that crashes back at once"},
	} {
		out, err := parse(t, "story s\n"+c.world+"seed 2\nchaos off\n"+c.plan).Run(scenarios.Options{})
		if err != nil || !isBroken(out, c.property) {
			t.Fatalf("%s is kept in the run: %v", c.property, err)
		}
		scope := exhaust.Scope{Claims: 3, Kinds: exhaust.Delay}
		if c.acts != "" {
			scope.Acts, _ = exhaust.ParseActs(c.acts)
		} else {
			scope.Kinds = exhaust.LoseWrites
		}
		w := newWorld(t, "story s\n"+c.world, scope)
		faults := strings.Count(c.plan, "\n")
		r, err := w.Explore(explore.Options{Faults: faults}, c.property)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(w.Provisos(faults), ", "); got != c.proviso || len(r.Sought) > 0 {
			t.Errorf("%s: %d breaches, and the certificate says %q, not %q", c.property, len(r.Sought), got, c.proviso)
		}
	}
}
