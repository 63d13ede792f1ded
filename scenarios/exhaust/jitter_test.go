package exhaust_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// Jitter lets two messages of one party overtake each other, which is not explored: what was
// not found where that can be is open.

// TestWhatOvertakesIsOpen has runs in which a message of a worker overtakes another one
// of it, and breaks what the search, in which none does, finds kept.
func TestWhatOvertakesIsOpen(t *testing.T) {
	for _, c := range []struct {
		name, world, plan string
		kinds             exhaust.Kinds
		property          string
	}{
		{"a heartbeat overtakes an early settlement",
			"queue echomq\nnetwork latency=1ms jitter=100ms\nworker w1 ack=early heartbeat=30s\njob J1\nchaos off\nseed 1\n",
			"fault pause w1 before=settle J1#1 for=35s\n", exhaust.Pause, "no-ghost"},
		{"a claim overtakes the last heartbeat",
			"queue echomq variant=no-extend-fence reap-every=100ms\nnetwork latency=1ms jitter=100ms\nworker w1 heartbeat=31.015s timeout=31s\njob J1\nchaos off\nseed 10\n",
			"fault drop complete J1#1\n", exhaust.Drop, "stale-token-rejected"},
		{"a claim overtakes what was sent before a crash",
			"queue echomq variant=no-fence\nnetwork latency=1ms jitter=900ms\nworker w1 work=29732ms poll=1ms\njob J1\nchaos off\nseed 36\n",
			"fault crash w1 after=settle J1#1 restart=1ms\n", exhaust.Crash, "stale-token-rejected"},
		{"a heartbeat overtakes an early settlement without a fault",
			"queue echomq variant=shortening-extend\nnetwork latency=1ms jitter=100ms\nworker w1 ack=early heartbeat=20ms\njob J1\nchaos off\nseed 1\n",
			"", exhaust.DefaultKinds, "deadline-monotone"},
	} {
		out, err := parse(t, "story s\n"+c.world+c.plan).Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !isBroken(out, c.property) {
			t.Errorf("%s: the run keeps %s", c.name, c.property)
		}
		faults := strings.Count(c.plan, "\n")
		w := newWorld(t, "story s\n"+c.world, exhaust.Scope{Claims: 3, Kinds: c.kinds})
		r, err := w.Explore(explore.Options{Faults: faults}, c.property)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Sought) == 0 && w.Unexplored(faults) == "" {
			t.Errorf("%s: %s is certified, and broken in a run", c.name, c.property)
		}
	}
}

// What takes turns with its answers cannot be overtaken: such a world is open with the first
// fault, and not before. Without jitter nothing overtakes.
func TestOnlyWhoSpeaksTwiceIsOvertakenWithoutAFault(t *testing.T) {
	const once, first, never = 0, 1, 9 // with how many faults it is open
	for _, c := range []struct {
		lines string
		open  int
	}{
		{"worker w1\njob J1", first},
		{"workers 2 work=70s\njob J1", first},
		{"worker w1 heartbeat=10s\njob J1", once},
		{"worker w1 ack=early\njob J1", once},
		{"worker w1\njob J1\njob J2", once},
		{"producer p\nproducer q\nworker w1\njob J1 by=p\njob J2 by=q", first},
	} {
		for _, jitter := range []string{"", " jitter=1us", " jitter=1s"} {
			open := c.open
			if jitter == "" {
				open = never
			}
			w := newWorld(t, "story s\nqueue echomq\nnetwork latency=1ms"+jitter+"\n"+c.lines+"\n", exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds})
			for faults := -1; faults <= 4; faults++ {
				if got := strings.HasPrefix(w.Unexplored(faults), "messages that overtake"); got != (faults >= open) {
					t.Errorf("%s with%s and %d faults: open is %t", c.lines, jitter, faults, got)
				}
			}
		}
	}
}

// TestNoJitterContradictsACertificateWithoutFaults runs worlds that are not open under many
// seeds: what breaks in a run breaks in the explored world.
func TestNoJitterContradictsACertificateWithoutFaults(t *testing.T) {
	broken := 0
	for i := range within(150, 600) {
		d := draws{seed: model.Seed(i).Fork("jitter")}
		world := fmt.Sprintf("story s\nqueue echomq%s reap-every=%s\nnetwork latency=%s jitter=%s\nworkers %d consumer=%s work=%s\njob J1 fails=%d\nchaos off\n",
			d.pick("", " variant=no-fence", " variant=double-settle", " variant=early-expiry", " variant=retry-misses-pending"), d.pick("1ms", "10ms", "1s"),
			d.pick("1ms", "5ms"), d.pick("3ms", "50ms", "900ms"), 1+d.below(2),
			d.pick("naive", "atomic", "fenced", "marker-last", "external"), d.pick("20ms", "14.98s", "29.5s", "29.9s", "29.98s", "31s"), d.below(2))
		w := newWorld(t, world, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds})
		if left := w.Unexplored(0); left != "" {
			t.Fatalf("%s%s", world, left)
		}
		r, err := explore.Run[exhaust.State](w, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fewest := fewestFaults(r)
		for seed := range 20 {
			out, err := parse(t, world+fmt.Sprintf("seed %d\n", seed+1)).Run(scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range out.Verdicts {
				if v.Value != model.Broken || v.Property == "drains" || !isWithin(out, 3) {
					continue
				}
				if broken++; !has(fewest, v.Property) {
					t.Errorf("%sseed %d\nbreaks %s, which is certified", world, seed+1, v.Property)
				}
			}
		}
	}
	t.Logf("%d breaches were compared", broken)
	if broken < 60 {
		t.Errorf("only %d breaches were compared", broken)
	}
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}

// isBroken reports whether a run breaks a property.
func isBroken(out *scenarios.Outcome, property string) bool {
	return slices.ContainsFunc(out.Verdicts, func(v model.Verdict) bool { return v.Property == property && v.Value == model.Broken })
}
