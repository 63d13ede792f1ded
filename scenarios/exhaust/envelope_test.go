package exhaust_test

import (
	"slices"
	"testing"

	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// envelope is the flat reference envelope: what EchoMQ as built is claimed to bear.
// Every claim sends one settlement, nobody extends, no id is admitted again.
const envelope = "story envelope\nqueue echomq\nproducer p retries=0\nworkers 2 consumer=atomic\njobs 2\n"

// TestTheReferenceEnvelopeIsClean visits all of it: two jobs, two workers, three
// claims a job, two losses among requests, answers and crashes.
func TestTheReferenceEnvelopeIsClean(t *testing.T) {
	scope := exhaust.Scope{Claims: 3, Kinds: exhaust.Reference}
	for _, o := range []explore.Options{
		{Faults: 2, Drains: true}, {Faults: 2, Compact: true}, {Faults: 2, DepthFirst: true}, {Faults: 2, Cores: 2},
		{Faults: 2, Cores: 2, Compact: true, Drains: true},
	} {
		r, err := newWorld(t, envelope, scope).Explore(o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Result.Ending != explore.Exhausted || len(r.Sought) > 0 || o.Drains && !r.Result.Drained.Holds() {
			t.Errorf("%+v: %s with %d breaches, drains %+v", o, r.Result.Ending, len(r.Sought), r.Result.Drained)
		}
		var sizes []int
		for _, l := range r.Result.Layers {
			sizes = append(sizes, l.States)
		}
		if !slices.Equal(sizes, []int{40, 375, 1272}) {
			t.Errorf("%+v: %v states by faults", o, sizes)
		}
		if len(r.Findings) != 3 {
			t.Errorf("%+v: seen on the way are %d things; redelivery, expiry and a marker that was found are three", o, len(r.Findings))
		}
	}
}

// TestTheEnvelopeEndsWhereItIsSaidToEnd adds one thing at a time to the reference
// envelope, which breaks it.
func TestTheEnvelopeEndsWhereItIsSaidToEnd(t *testing.T) {
	acts := func(text string) exhaust.Scope {
		list, err := exhaust.ParseActs(text)
		if err != nil {
			t.Fatal(err)
		}
		return exhaust.Scope{Claims: 3, Kinds: exhaust.Reference, Acts: list}
	}
	for _, c := range []struct {
		text, breaks string
		scope        exhaust.Scope
		faults       int
	}{
		{"story re-sent\nqueue echomq\nproducer p retries=1\nworker w1\njob J1\n", "no-duplicate-effect", acts("pause"), 1},
		{"story beating\nqueue echomq\nproducer p retries=0\nworkers 2 heartbeat=10s work=12s\njob J1 fails=1\n", "one-place",
			exhaust.Scope{Claims: 3, Kinds: exhaust.Reference}, 0},
		{"story settled-twice\nqueue echomq\nproducer p retries=0\nworker w1\njob J1 fails=1\n", "settled-once", acts("retry"), 1},
		{"story extended\nqueue echomq\nproducer p retries=0\nworker w1\njob J1\n", "one-place", acts("extend"), 2},
		{"story forgetting\nqueue echomq\nproducer p retries=0\nworker w1\njob J1\n", "no-loss",
			exhaust.Scope{Claims: 3, Kinds: exhaust.LoseWrites}, 1},
	} {
		r, err := newWorld(t, c.text, c.scope).Explore(explore.Options{Faults: 2}, c.breaks)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Sought) == 0 || r.Sought[0].Faults != c.faults || r.Sought[0].Concrete == nil {
			t.Errorf("%s: want a story that breaks %s with %d faults, got %+v", c.text, c.breaks, c.faults, r.Sought)
		}
	}
}

// BenchmarkExplore measures the reference envelope with all kinds of faults, on one
// core: what a state costs, queue, consumers, properties and trails included.
func BenchmarkExplore(b *testing.B) {
	for _, compact := range []bool{false, true} {
		name := map[bool]string{false: "exact", true: "compact"}[compact]
		b.Run(name, func(b *testing.B) {
			states, kept := 0, int64(0)
			for b.Loop() {
				story := mustParse(b, envelope)
				w, err := exhaust.New(story, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds})
				if err != nil {
					b.Fatal(err)
				}
				r, err := explore.Run[exhaust.State](w, explore.Options{Faults: 3, Compact: compact})
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
