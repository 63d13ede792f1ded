package scenarios_test

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// One worker, one job, and the last thing that goes wrong: its ACK is lost.
const onlyOne = `
queue   echomq lease=30s retry-delay=100ms promote-every=100ms reap-every=1s %s
worker  w1 consumer=atomic timeout=1s
job     J1
fault   drop complete J1#1
horizon %v
`

// The bound of drains is tight for one job and one worker: a story takes at least
// four fifths of it. When the same world is cut where its job was late by a quarter
// more, and the job was never done, drains is broken, so the bound had passed by then;
// and no world was called broken before its job could be done.
func TestTheBoundOfDrainsIsTight(t *testing.T) {
	out := drained(t, "", time.Hour)
	storm := lastAt(t, out, model.Lost)
	done := lastAt(t, out, model.Applied) // the complete of J1#2
	if got := drainsOf(t, out); got != model.Held {
		t.Fatalf("%v", got)
	}
	took := done.Sub(storm)
	late := time.Duration(storm) + took + took/4
	if got := drainsOf(t, drained(t, "variant=ignores-ack", late)); got != model.Broken {
		t.Errorf("%v after the ACK was lost the job is done, and at %v drains is %v: the bound is no better than %v", took, late, got, took+took/4)
	}
	bound := time.Duration(sort.Search(int(late/time.Millisecond), func(ms int) bool {
		return drainsOf(t, drained(t, "variant=ignores-ack", time.Duration(ms)*time.Millisecond)) == model.Broken
	}))*time.Millisecond - time.Duration(storm)
	says := fmt.Sprintf("%v of %v, %d%%", took, bound, 100*took/bound)
	if page, err := os.ReadFile("../reports/docs/believe.md"); err != nil || !strings.Contains(string(page), says) {
		t.Errorf("the story takes %s, which reports/docs/believe.md does not say (%v)", says, err)
	}
	if got := drainsOf(t, drained(t, "", time.Duration(done)-time.Millisecond)); got != model.Unknown {
		t.Errorf("a millisecond before its job is done drains is %v", got)
	}
}

func drained(t *testing.T, queue string, horizon time.Duration) *scenarios.Outcome {
	out, err := mustParse(t, "one", fmt.Sprintf(onlyOne, queue, horizon)).Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func drainsOf(t *testing.T, out *scenarios.Outcome) model.Value {
	for i := range out.Verdicts {
		if v := &out.Verdicts[i]; v.Property == "drains" {
			return v.Value
		}
	}
	t.Fatal("drains was not judged")
	return 0
}

// lastAt returns when the last event of that kind about J1 came.
func lastAt(t *testing.T, out *scenarios.Outcome, kind model.Kind) (at model.Time) {
	for i := range out.History.Events {
		if e := &out.History.Events[i]; e.Kind == kind && e.Job == 1 {
			at = e.At
		}
	}
	if at == 0 {
		t.Fatalf("nothing was %v", kind)
	}
	return at
}
