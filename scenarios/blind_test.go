package scenarios_test

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// mute is a queue that answers and tells nothing else: all that somebody's own
// queue has to be.
type mute struct{ queue *echomq.Queue }

func (m mute) Apply(now model.Time, req model.Request) model.Reply { return m.queue.Apply(now, req) }

func init() {
	model.Register(model.Body{Protocol: "echomq", Backend: "mute", Unlisted: true, Open: func(string) (model.Queue, error) {
		q, err := echomq.New("")
		return mute{q}, err
	}})
}

// Of a queue that does not tell what it touches, workers and pump have to poll:
// they do what they do to one that tells, and what cannot be seen is unknown.
func TestAQueueThatTellsNothingIsPolled(t *testing.T) {
	story := load(t, "lost-ack")
	told := strict(t, story)
	silent := *story
	silent.Queue.Backend = "mute"
	silent.Expects = nil
	out := strict(t, &silent)
	if got, want := effectsIn(out.History), effectsIn(told.History); got != want || got != 2 {
		t.Errorf("%d effects, and %d with a queue that tells", got, want)
	}
	if out.End != model.Quiet {
		t.Errorf("the run goes on until %s", out.End)
	}
	for _, v := range out.Verdicts {
		want := map[string]model.Value{"no-duplicate-effect": model.Broken, "stale-token-rejected": model.Held, "one-place": model.Unknown, "mint-order": model.Unknown}
		if value, ok := want[v.Property]; ok && v.Value != value {
			t.Errorf("%s is %s, want %s", v.Property, v.Value, value)
		}
	}
}

func effectsIn(h *model.History) int {
	n := 0
	for _, e := range h.Events {
		if e.Kind == model.Effected {
			n++
		}
	}
	return n
}
