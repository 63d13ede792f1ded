package exhaust_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// What a story cannot say: a time before nought, or a name that is too long.

// Where messages are slow a settlement would have to be sent before its work began, for one
// of many heartbeats to come while it is on its way. A later heartbeat does as well.
func TestNoWorkIsNegative(t *testing.T) {
	for _, c := range []struct{ lease, heartbeat string }{
		{"2s", "300ms"}, {"2s", "500ms"}, {"2s", "600ms"}, {"2s", "650ms"}, {"2s", "665ms"}, {"2s", "665.666666ms"}, {"2s", "666ms"}, {"5s", "500ms"},
	} {
		text := "story s\nqueue echomq lease=" + c.lease + "\nworker w1 heartbeat=" + c.heartbeat + "\njob J1\n"
		r, err := newWorld(t, text, exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds}).ExploreAll(explore.Options{Faults: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Sought) == 0 {
			t.Errorf("%snothing breaks", text)
		}
		for i := range r.Sought {
			if f := &r.Sought[i]; f.Concrete == nil {
				t.Errorf("%s%s by %s while the job is %s: %v\n%s", text, f.Property, f.Verb, f.State, f.Why, strings.Join(f.Path, "\n"))
			}
		}
	}
}

// The name of a counterexample has room for that of its property.
func TestALongNameMakesRoomForItsProperty(t *testing.T) {
	name := strings.Repeat("a", script.MaxName)
	w := newWorld(t, "story "+name+"\nqueue echomq\nworkers 2 consumer=naive\njob J1\n", exhaust.Scope{Claims: 3, Kinds: exhaust.DefaultKinds})
	r, err := w.Explore(explore.Options{Faults: 2}, "no-duplicate-effect")
	if err != nil {
		t.Fatal(err)
	}
	const suffix = "-no-duplicate-effect"
	if len(r.Sought) != 1 || r.Sought[0].Concrete == nil || r.Sought[0].Concrete.Story.Name != name[len(suffix):]+suffix {
		t.Errorf("%d breaches, and %v", len(r.Sought), r.Sought[0].Why)
	}
}

// A counterexample that cannot be written ends no search: it is abstract only, and says why.
func TestWhatCannotBeWrittenIsAbstractOnly(t *testing.T) {
	const kinds = exhaust.DefaultKinds | exhaust.Jump
	w := newWorld(t, "story s\nqueue echomq variant=hardened\nworkers 2 consumer=naive work=70s heartbeat=29s\njob J1\n", exhaust.Scope{Claims: 3, Kinds: kinds}).Misnamed()
	o := explore.Options{Faults: 1}
	for _, explored := range []func() (*exhaust.Report, error){
		func() (*exhaust.Report, error) { return w.Explore(o, "no-duplicate-effect") },
		func() (*exhaust.Report, error) { return w.ExploreAll(o) },
		func() (*exhaust.Report, error) { return w.ExploreEach(o) },
	} {
		r, err := explored()
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Sought) == 0 || r.AbstractOnly() != len(r.Sought) {
			t.Errorf("%d breaches, %d of them abstract only", len(r.Sought), r.AbstractOnly())
		}
		for _, f := range r.Sought {
			if f.Why == nil || !strings.Contains(f.Why.Error(), `"No-`+f.Property+`" is no name for a story`) {
				t.Errorf("%s: %v", f.Property, f.Why)
			}
		}
	}
}
