package scenarios_test

import (
	"testing"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// A twin is a history in which the work went otherwise and of which the queue
// saw the same.
func TestTwins(t *testing.T) {
	cases := []struct {
		what, story string
		worked      bool // in the story the delivery has its effect
	}{
		{"the ACK is lost", "worker w1\njob J1\nfault drop complete J1#1", true},
		{"the worker dies before the work", "worker w1\nworker w2\njob J1\nfault crash w1 before=apply J1#1", false},
		{"the worker is slow, and does the work when the job is another's",
			"worker w1 work=40s\nworker w2 work=1s\njob J1", true},
		{"nobody reaps: the queue never acts",
			"queue echomq reap-every=off\nworker w1\njob J1\nfault drop complete J1#1", true},
	}
	for _, c := range cases {
		story, h := ran(t, c.story)
		k := story.FindTwin(h, faults.Queue, 1, 1)
		if k == nil || k.Twin == nil {
			t.Errorf("%s: there is no twin", c.what)
			continue
		}
		if k.Fact != c.worked || effects(h) == effects(k.Twin.History) {
			t.Errorf("%s: worked is %v; J1#1 has %d effects and %d in the twin", c.what, k.Fact, effects(h), effects(k.Twin.History))
		}
	}
}

// Where the queue was told, there is no other history that it could mistake for
// this one.
func TestNoTwins(t *testing.T) {
	for what, text := range map[string]string{
		"the ACK arrives":               "worker w1\njob J1",
		"the answer to the ACK is lost": "worker w1\njob J1\nfault drop-reply complete J1#1",
		"the lease is kept by heartbeats, of which the dead send none": "worker w1 work=40s heartbeat=10s\njob J1",
		"the ACK comes too late and is refused, and nobody reaps": "queue echomq reap-every=off\n" +
			"worker w1\njob J1\nfault delay complete J1#1 by=2s\ndo remove J1 time=1s",
	} {
		story, h := ran(t, text)
		if k := story.FindTwin(h, faults.Queue, 1, 1); k.Twin != nil {
			t.Errorf("%s: and yet the queue sees the same in\n%s", what, k.Twin.History.AppendText(nil))
		}
	}
}

// ran runs a story and returns it with its history.
func ran(t *testing.T, text string) (*scenarios.Story, *model.History) {
	t.Helper()
	story := mustParse(t, "t.story", text)
	return story, strict(t, story).History
}

// effects counts those of J1#1.
func effects(h *model.History) (n int) {
	for _, e := range h.Events {
		if e.Kind == model.Effected && e.Job == 1 && e.N == 1 {
			n++
		}
	}
	return n
}
