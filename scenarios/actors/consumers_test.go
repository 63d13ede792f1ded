package actors_test

import (
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

func TestEveryConsumerHasTheStepsOfItsProgram(t *testing.T) {
	want := []string{
		"naive: claim apply settle",
		"marker-first: claim check mark apply settle",
		"marker-last: claim check apply mark settle",
		"atomic: claim check apply settle, mark is apply",
		"natural: claim apply settle",
		"ttl-marker: claim check apply settle, mark is apply",
		"fenced: claim apply settle",
		"external: claim apply settle",
		"external-key: claim apply settle",
		"scorer: claim read insert count board publish close pay settle, its effect is insert",
		"scorer-fixed: claim read insert count board publish close pay settle, its effect is insert",
	}
	names := actors.ConsumerNames()
	if len(names) != len(want) {
		t.Fatalf("%d consumers, want %d", len(names), len(want))
	}
	for i, name := range names {
		c, ok := actors.ParseConsumer(name)
		if got := describe(c); !ok || got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
	}
}

func describe(c actors.Consumer) string {
	var steps []string
	for _, s := range c.Steps() {
		steps = append(steps, s.String())
	}
	line := c.String() + ": " + strings.Join(steps, " ")
	if c.Effect() != model.StepApply {
		line += ", its effect is " + c.Effect().String()
	}
	if s, ok := c.Step(model.StepMark); ok && s != model.StepMark {
		line += ", mark is " + s.String()
	}
	return line
}

func TestAConsumerHasNoStepThatItDoesNotTake(t *testing.T) {
	for _, c := range []struct {
		consumer actors.Consumer
		step     model.Step
	}{
		{actors.Naive, model.StepMark}, {actors.Naive, model.StepCheck}, {actors.Naive, model.NoStep},
		{actors.Scorer, model.StepApply}, {actors.Atomic, model.StepInsert},
	} {
		if s, ok := c.consumer.Step(c.step); ok {
			t.Errorf("%v takes %v as %v", c.consumer, c.step, s)
		}
	}
	if c, ok := actors.ParseConsumer("nave"); ok {
		t.Errorf("nave is %v", c)
	}
}
