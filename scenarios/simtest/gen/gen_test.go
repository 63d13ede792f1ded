package gen_test

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/gen"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
)

func keyed(ctx context.Context, job simtest.Job) error { return job.Sink().ApplyKey(ctx, job.ID) }

func naive(ctx context.Context, job simtest.Job) error { return job.Sink().Apply(ctx) }

func TestAnyThreeFaultsLeaveAKeyedConsumerOneEffect(t *testing.T) {
	c := simtest.NewConsumer(t, keyed)
	rapid.Check(t, func(rt *rapid.T) {
		out, err := c.RunPlan([]byte(gen.Plan(c.Story(), 3).Draw(rt, "plan")))
		if err != nil {
			rt.Fatal(err)
		}
		if p := breaks(out); p != "" {
			rt.Fatalf("%s broke", p)
		}
	})
}

// breaks names what is broken of the mission's two properties.
func breaks(out *scenarios.Outcome) string {
	for _, v := range out.Verdicts {
		if v.Value == model.Broken && (v.Property == "no-loss" || v.Property == "no-duplicate-effect") {
			return v.Property
		}
	}
	return ""
}

// The generator reaches what breaks a naive consumer, and rapid makes it one word.
func TestAPlanThatBreaksShrinksToOneWord(t *testing.T) {
	t.Chdir(t.TempDir()) // rapid writes down how it failed
	c := simtest.NewConsumer(t, naive)
	last := ""
	tb := tbtest.Run(t, func(tb testing.TB) {
		rapid.Check(tb, func(rt *rapid.T) {
			plan := gen.Plan(c.Story(), 4).Draw(rt, "plan")
			out, err := c.RunPlan([]byte(plan))
			if err != nil {
				rt.Fatal(err)
			}
			if breaks(out) != "" {
				last = plan
				rt.Fatal("broke")
			}
		})
	})
	if !tb.Broke || len(strings.Fields(last)) != 1 {
		t.Errorf("failed: %v, shrunk to %q", tb.Broke, last)
	}
}

func TestEveryWorldThatIsGeneratedRunsAndHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		world := gen.World().Draw(rt, "world")
		c := simtest.NewConsumer(t, keyed, simtest.Story(world))
		w, err := c.World(rapid.Uint64().Draw(rt, "seed"))
		if err != nil {
			rt.Fatalf("%v\n%s", err, world)
		}
		if p := breaks(w.Outcome); p != "" {
			rt.Fatalf("%s broke in\n%s", p, world)
		}
	})
}
