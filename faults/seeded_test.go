package faults_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

func ops(list ...model.Op) []bool {
	set := make([]bool, 30)
	for _, op := range list {
		set[op] = true
	}
	return set
}

func procs(list ...model.Proc) []bool {
	set := make([]bool, 10)
	for _, p := range list {
		set[p] = true
	}
	return set
}

var storm = faults.Policy{
	{Kind: faults.Drop, Ops: ops(model.OpComplete, model.OpClaim), Rate: 200_000},
	{Kind: faults.Drop, Reply: true, Ops: ops(model.OpComplete), Rate: 200_000},
	{Kind: faults.Delay, Ops: ops(model.OpComplete), Rate: 200_000, By: faults.Range{Low: time.Millisecond, High: time.Minute}},
	{Kind: faults.Crash, Procs: procs(4, 5), Rate: 100_000, Back: faults.Range{Low: time.Second, High: time.Minute}, Count: faults.IntRange{High: 2}},
	{Kind: faults.Pause, Procs: procs(4), Rate: 500_000, For: faults.Range{Low: time.Second, High: 90 * time.Second}, Count: faults.IntRange{Low: 1, High: 3}},
	{Kind: faults.Clock, Procs: procs(faults.Queue), Rate: 500_000, By: faults.Range{Low: -time.Minute, High: time.Minute}, Count: faults.IntRange{High: 1}},
}

func seeded(seed model.Seed) *faults.Seeded {
	s := faults.NewSeeded(storm, model.Time(2*time.Minute))
	s.Reset(seed)
	return s
}

func drawPoint(t *rapid.T) faults.Point {
	n := func(label string, low, high int) int { return rapid.IntRange(low, high).Draw(t, label) }
	pt := faults.Point{Proc: model.Proc(n("proc", 0, 6)), Nth: int32(n("nth", 1, 3))}
	switch faults.Family(n("family", 1, 3)) {
	case faults.Message:
		pt.Family, pt.Op, pt.Reply = faults.Message, model.Op(n("op", 1, 6)), n("reply", 0, 1) == 1
		pt.Job, pt.N = model.Job(n("job", 1, 20)), int32(n("n", 0, 3))
	case faults.Step:
		pt.Family, pt.Step, pt.After = faults.Step, model.Step(n("step", 1, 5)), n("after", 0, 1) == 1
		pt.Job, pt.N = model.Job(n("job", 1, 20)), int32(n("n", 0, 3))
	default:
		pt.Family, pt.Slot = faults.Slot, faults.SlotKind(n("slot", 1, 5))
	}
	return pt
}

// What happens at a point is a function of seed and point: whatever was asked
// before, and how often.
func TestASeedDrawsTheSameAtTheSamePoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := model.Seed(rapid.Uint64().Draw(t, "seed"))
		pt := drawPoint(t)
		want := seeded(seed).Decide(pt)
		s := seeded(seed)
		for range rapid.IntRange(0, 5).Draw(t, "others") {
			s.Decide(drawPoint(t))
		}
		if got := s.Decide(pt); got != want {
			t.Fatalf("%+v at first, %+v after others", want, got)
		}
		if !want.Benign() && !s.Asks(pt) {
			t.Fatalf("%+v is drawn where nobody asks", want)
		}
	})
}

// Two seeds, or two points that differ in one field, draw apart.
func TestNoTwoPointsShareAnAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := drawPoint(t), drawPoint(t)
		a, b := p.Address()
		c, d := q.Address()
		if p != q && a == c && b == d {
			t.Fatalf("%+v and %+v have one address", p, q)
		}
	})
}

// What is drawn stays within the rule: its kinds, targets and ranges.
func TestADrawStaysWithinItsRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pt := drawPoint(t)
		o := seeded(model.Seed(rapid.Uint64().Draw(t, "seed"))).Decide(pt)
		within := func(d, low, high time.Duration) bool { return d >= low && d <= high }
		switch {
		case o.Has(faults.Drop) && (pt.Family != faults.Message || pt.Op != model.OpComplete && pt.Op != model.OpClaim):
			t.Fatalf("%+v is dropped", pt)
		case o.Has(faults.Delay) && !within(o.By, time.Millisecond, time.Minute):
			t.Fatalf("delayed by %s", o.By)
		case o.Has(faults.Crash) && (pt.Proc != 4 && pt.Proc != 5 || !o.Restarts || !within(o.Restart, time.Second, time.Minute)):
			t.Fatalf("%+v crashes: %+v", pt, o)
		case o.Has(faults.Pause) && (pt.Proc != 4 || !within(o.For, time.Second, 90*time.Second)):
			t.Fatalf("%+v stands still: %+v", pt, o)
		case o.Has(faults.Clock) && (pt.Proc != faults.Queue || !within(o.By, -time.Minute, time.Minute)):
			t.Fatalf("%+v: %+v", pt, o)
		case pt.Family == faults.Slot && !o.Benign() && (o.At < 0 || o.At >= model.Time(2*time.Minute)):
			t.Fatalf("the window begins at %s", o.At)
		}
	})
}

// A slot's windows are numbered without a gap: a gap would hide those behind it.
func TestTheWindowsOfASlotHaveNoGap(t *testing.T) {
	for seed := range model.Seed(2000) {
		s := seeded(seed)
		pt := faults.Point{Family: faults.Slot, Slot: faults.SlotPause, Proc: 4, Nth: 1}
		n := 0
		for ; !s.Decide(pt).Benign(); pt.Nth++ {
			n++
		}
		for pt.Nth++; pt.Nth < 9; pt.Nth++ {
			if !s.Decide(pt).Benign() {
				t.Fatalf("seed %d: window %d stands behind a gap", seed, pt.Nth)
			}
		}
		if n > 3 {
			t.Fatalf("seed %d: %d windows", seed, n)
		}
	}
}

// Rates are kept, and every rule is on in about half of the seeds and never are
// all off. The counts are pinned by the seeds; the bounds are four standard
// deviations wide.
func TestRatesAndSwarms(t *testing.T) {
	const seeds = 4000
	on, struck, idle := 0, 0, 0
	pt := faults.Point{Family: faults.Message, Op: model.OpClaim, Job: 1, N: 1, Nth: 1}
	for seed := range model.Seed(seeds) {
		s := seeded(seed)
		if s.Asks(pt) {
			on++
			if s.Decide(pt).Has(faults.Drop) {
				struck++
			}
		}
		busy := false
		for _, any := range []faults.Point{
			pt, {Family: faults.Message, Op: model.OpComplete}, {Family: faults.Message, Op: model.OpComplete, Reply: true},
			{Family: faults.Step, Step: model.StepApply}, {Family: faults.Slot, Slot: faults.SlotClock},
		} {
			busy = busy || s.Asks(any)
		}
		if !busy {
			idle++
		}
	}
	if on < 1873 || on > 2127 {
		t.Errorf("the rule was on in %d of %d seeds", on, seeds)
	}
	if struck < on/5-72 || struck > on/5+72 {
		t.Errorf("a rate of 20%% struck %d times of %d", struck, on)
	}
	if idle > 0 {
		t.Errorf("%d seeds have nothing to do", idle)
	}
}
