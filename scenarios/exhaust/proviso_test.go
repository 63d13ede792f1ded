package exhaust_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
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
		{"", all | exhaust.Jump | exhaust.LoseWrites, "the clock jumping forward only, a crashed queue back at once"},
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

// Of acts it says so where enqueue is among them.
func TestACertificateSaysThatNobodyEnqueuesBeforeTheProducer(t *testing.T) {
	for acts, want := range map[string]string{"enqueue": "no act enqueue before the job's producer", "remove,extend": ""} {
		scope := exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds}
		scope.Acts, _ = exhaust.ParseActs(acts)
		if got := strings.Join(newWorld(t, "story s\nqueue echomq\nworker w1\njob J1\n", scope).Provisos(1), ", "); got != want {
			t.Errorf("%s: %q, not %q", acts, got, want)
		}
	}
}

// What is said there is so: a run breaks what is certified with as many faults. (Of answers that
// are late but in time, where lost ones are in the search, there is no such run here.)
func TestWhatACertificateDoesNotSayCanBe(t *testing.T) {
	const latency = "\nnetwork latency=1ms\nproducer p retries=0\n"
	for _, c := range []struct {
		proviso, world, plan string
		kinds                exhaust.Kinds
		acts                 []model.Op
		property             string
	}{
		{"no answer late, no act enqueue before the job's producer",
			"queue echomq reap-every=off\nproducer p retries=0\nworker w1 ack=early heartbeat=1s\nworker w2 work=10s\njob J1\n",
			"fault delay-reply complete J1#1 by=4s\ndo enqueue J1 time=500ms\n", exhaust.Delay, []model.Op{model.OpEnqueue}, "stale-token-rejected"},
		{"a crashed queue back at once",
			"queue echomq variant=no-extend-fence lease=30s max-attempts=2 reap-every=100ms\nnetwork latency=1ms\nproducer p retries=1\n" +
				"worker w1 consumer=natural work=1m timeout=10s poll=50ms heartbeat=6s ack=early\njob J1 fails=1\njob J2 at=29.999s\n",
			"fault crash queue time=5ms lose=1w restart=1us\n", exhaust.LoseWrites, nil, "one-place"},
		{"the clock jumping forward only", "queue echomq" + latency + "workers 2 heartbeat=10s work=12s\njob J1\n",
			"fault clock queue jump=-20s time=5s\n", exhaust.Jump, nil, "deadline-monotone"},
		{"no act enqueue before the job's producer", "queue echomq" + latency + "workers 2 consumer=external-key\njob J1 at=105ms\n",
			"do enqueue J1 time=1ms\n", 0, []model.Op{model.OpEnqueue}, "no-duplicate-effect"},
	} {
		out, err := parse(t, "story s\n"+c.world+"seed 2\nchaos off\n"+c.plan).Run(scenarios.Options{})
		if err != nil || !isBroken(out, c.property) {
			t.Errorf("%s: %s is kept in the run: %v", c.proviso, c.property, err)
			continue
		}
		w := newWorld(t, "story s\n"+c.world, exhaust.Scope{Claims: 3, Kinds: c.kinds, Acts: c.acts})
		faults := strings.Count(c.plan, "\n")
		r, err := w.Explore(explore.Options{Faults: faults}, c.property)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(w.Provisos(faults), ", "); got != c.proviso || len(r.Sought) > 0 || r.Result.Ending != explore.Exhausted {
			t.Errorf("%s: %s, %d breaches, and the certificate says %q, not %q", c.property, r.Result.Ending, len(r.Sought), got, c.proviso)
		}
	}
}
