package simtest

import (
	"os"
	"testing"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// FuzzConsumer is the body of a fuzz target: `go test -fuzz` looks for a plan of
// faults, as bytes, under which the handler breaks a promise. What it finds under
// testdata/fuzz can be read: see Plan. Chaos and Runs have no meaning here.
func FuzzConsumer(f *testing.F, handler Handler, opts ...Option) {
	f.Helper()
	NewConsumer(f, handler, opts...).plans(f)
}

// FuzzQueue is FuzzConsumer for a queue.
func FuzzQueue(f *testing.F, newQueue func() model.Queue, opts ...Option) {
	f.Helper()
	NewQueue(f, newQueue, opts...).plans(f)
}

func (c *check) plans(f *testing.F) {
	f.Helper()
	if token := os.Getenv(Replay); token != "" {
		if c.replay(f, token); !f.Failed() {
			f.Skip("it ran what the token holds, and no plan")
		}
		return
	}
	for _, seed := range []string{"", "dc11", "ca11", "Ps11", "la11", "dc11 ca12"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, plan []byte) { c.fuzz(t, plan) })
}

// maxPlan bounds a plan, in bytes: more faults than this hide each other.
const maxPlan = 64

func (c *check) fuzz(t testing.TB, plan []byte) {
	t.Helper()
	lines := Plan(c.story, plan[:min(len(plan), maxPlan)])
	out, err := c.run("fault? ", lines)
	if err != nil {
		t.Fatal(err)
	}
	property := c.broken(out)
	if property == "" {
		return
	}
	again, err := c.once(out.Story)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenarios.Same(out.History, again.History); err != nil {
		t.Fatal(c.parted(err))
	}
	c.blameMemory(t)
	f := &failure{property: property, out: out}
	if small, err := out.Story.Shrink(property); err != nil {
		f.shrunk = "not shrunk: " + err.Error()
	} else {
		f.out = small.Outcome
		f.shrunk = script.Count(len(lines), "fault") + " -> " + script.Count(small.After.Faults, "fault")
	}
	f.again = c.again(f.out)
	c.report(t, f)
}
