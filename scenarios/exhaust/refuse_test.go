package exhaust_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// nowhere is an outside that no handler reaches: its worlds are refused before.
type nowhere struct{}

func (nowhere) Reset()                                  {}
func (nowhere) Begin(actors.Delivery) actors.Course     { return nil }
func (nowhere) Serve(int32, model.Time) (d actors.Deed) { return d }

func TestAConsumerOfGoCodeIsNoState(t *testing.T) {
	forget, err := scenarios.RegisterHandler("own", func() actors.Outside { return nowhere{} })
	if err != nil {
		t.Fatal(err)
	}
	defer forget()
	_, err = exhaust.New(parse(t, "story s\nqueue echomq\nworker w1\nworker w2 consumer=handler:own\njob J1\n"), exhaust.Scope{Claims: 3})
	if err == nil || !strings.Contains(err.Error(), `worker "w2" is Go code (handler:own)`) {
		t.Errorf("%v", err)
	}
}

func TestAQueueOfWhichSpansDecideIsRefused(t *testing.T) {
	refused := map[string]string{
		"prefetch-expires": "a claim of one job leases 2", "rescue-overwrites": "moves nothing yet", "two-clock-reads": "shortly before the end of a lease",
	}
	for _, name := range allVariants {
		_, err := exhaust.New(parse(t, "story s\nqueue echomq variant="+name+"\nworker w1\njob J1\n"), exhaust.Scope{Claims: 3})
		why, isRefused := refused[name]
		if errors.Is(err, exhaust.ErrSpans) != isRefused || err != nil && (!strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), "ackgap check")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheBoundOfFaultsIsThatOfAWorld(t *testing.T) {
	w := newWorld(t, "story s\nqueue echomq\nworker w1\njob J1\n", exhaust.Scope{Claims: 3})
	for _, faults := range []int{-1, 9} {
		if _, err := w.Explore(explore.Options{Faults: faults}); err == nil || !strings.Contains(err.Error(), "0 to 8 faults") {
			t.Errorf("%d: %v", faults, err)
		}
	}
}

// Stories take longer than the search that found what they tell, and can be interrupted too.
func TestTheMakingOfStoriesIsInterrupted(t *testing.T) {
	w := newWorld(t, "story s\nqueue echomq\nworkers 2\njob J1\n", exhaust.Scope{Claims: 2, Kinds: exhaust.DefaultKinds, Symmetry: true})
	o, told := explore.Options{Faults: 1}, 0
	o.Progress = func(explore.Progress) bool { told++; return true }
	if _, err := w.ExploreAll(o); err != nil {
		t.Fatal(err)
	}
	most := told - 2 // all but the last two stories
	told, o.Progress = 0, func(explore.Progress) bool { told++; return told <= most }
	r, err := w.ExploreAll(o)
	if err != nil || len(r.Sought) < 3 {
		t.Fatalf("%d causes: %v", len(r.Sought), err)
	}
	for i, f := range r.Sought {
		if i < len(r.Sought)-2 {
			if f.Concrete == nil {
				t.Errorf("%s has no story: %v", f.Property, f.Why)
			}
			continue
		}
		if f.Concrete != nil || f.Why == nil || !strings.Contains(f.Why.Error(), "interrupted") {
			t.Errorf("%s has a story, or another reason: %v", f.Property, f.Why)
		}
	}
}
