package faults_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

// A field that a family has tells its points apart, and one that it has not does not.
func TestAnAddressHasTheFieldsOfItsFamily(t *testing.T) {
	for _, c := range []struct{ family, one, other string }{
		{"messages of two jobs", address(faults.Point{Family: faults.Message, Job: 1}), address(faults.Point{Family: faults.Message, Job: 2})},
		{"steps of two deliveries", address(faults.Point{Family: faults.Step, N: 1}), address(faults.Point{Family: faults.Step, N: 2})},
		{"cuts of two links", address(faults.Point{Family: faults.Slot, Peer: 1}), address(faults.Point{Family: faults.Slot, Peer: 2})},
	} {
		if c.one == c.other {
			t.Errorf("%s have one address", c.family)
		}
	}
}

func address(pt faults.Point) string { return fmt.Sprint(pt.Address()) }

// A rule is asked at points of its own sort and at no other, on its own side of it.
func TestARuleIsAskedAtItsOwnSortOfPoint(t *testing.T) {
	var all []faults.Point
	for op := model.OpEnqueue; op <= model.OpDrain; op++ {
		all = append(all, faults.Point{Family: faults.Message, Op: op}, faults.Point{Family: faults.Message, Op: op, Reply: true})
	}
	for step := model.StepClaim; step <= model.StepSleep; step++ {
		all = append(all, faults.Point{Family: faults.Step, Step: step}, faults.Point{Family: faults.Step, Step: step, After: true})
	}
	for kind := faults.SlotCrash; kind <= faults.SlotClock; kind++ {
		all = append(all, faults.Point{Family: faults.Slot, Slot: kind})
	}
	for _, c := range []struct {
		rule faults.Rule
		is   func(faults.Point) bool
	}{
		{faults.Rule{Kind: faults.Drop, Reply: true, Ops: ops(model.OpReap)}, func(pt faults.Point) bool { return pt.Op == model.OpReap && pt.Reply }},
		{faults.Rule{Kind: faults.Drop, Ops: ops(model.OpReap)}, func(pt faults.Point) bool { return pt.Op == model.OpReap && !pt.Reply }},
		{faults.Rule{Kind: faults.Crash}, func(pt faults.Point) bool { return pt.Family == faults.Step || pt.Slot == faults.SlotCrash }},
		{faults.Rule{Kind: faults.Stall}, func(pt faults.Point) bool { return pt.Slot == faults.SlotStall }},
	} {
		s := faults.NewSeeded(faults.Policy{c.rule}, model.Time(time.Minute))
		s.Reset(1)
		for _, pt := range all {
			if s.Asks(pt) != c.is(pt) {
				t.Errorf("%+v: asked is %v at %+v", c.rule, s.Asks(pt), pt)
			}
		}
	}
	for _, named := range all {
		p := faults.NewPlanned(faults.Plan{{Point: named}})
		for _, pt := range all {
			isOne := pt.Family == named.Family && pt.Op == named.Op && pt.Step == named.Step && pt.Slot == named.Slot
			if p.Asks(pt) != isOne {
				t.Errorf("a plan of %+v: asked is %v at %+v", named, p.Asks(pt), pt)
			}
		}
	}
}

// A process that came after the rule was written is not struck.
func TestARuleSparesWhomItDoesNotKnow(t *testing.T) {
	s := faults.NewSeeded(faults.Policy{{Kind: faults.Crash, Procs: []bool{false, true}, Rate: 1_000_000}}, model.Time(time.Minute))
	s.Reset(1)
	for p, want := range []bool{false, true, false, false} {
		pt := faults.Point{Family: faults.Step, Step: model.StepApply, Proc: model.Proc(p), Job: 1, N: 1, Nth: 1}
		if got := !s.Decide(pt).Benign(); got != want {
			t.Errorf("process %d is struck: %v", p, got)
		}
	}
}

// A rate of nothing never strikes, not even in the one seed of a million whose dice
// fall on zero.
func TestARateOfNothingNeverStrikes(t *testing.T) {
	pt := faults.Point{Family: faults.Message, Op: model.OpClaim, Job: 1, N: 1, Nth: 1}
	for rate, want := range []int{0, 1} {
		s := faults.NewSeeded(faults.Policy{{Kind: faults.Drop, Ops: ops(model.OpClaim), Rate: uint32(rate)}}, model.Time(time.Minute))
		struck := 0
		for _, seed := range []model.Seed{1, 2, 2287589} {
			if s.Reset(seed); !s.Decide(pt).Benign() {
				struck++
			}
		}
		if struck != want {
			t.Errorf("at %d in a million %d of 3 seeds strike, want %d", rate, struck, want)
		}
	}
}

// Seeds of old stand for the worlds that they stood for: what one draws is pinned, with
// every kind of rule and every kind of range.
func TestWhatASeedDrawsIsPinned(t *testing.T) {
	second := faults.IntRange{Low: 2, High: 2}
	policy := append(slices.Clone(storm),
		faults.Rule{Kind: faults.Duplicate, Ops: ops(model.OpComplete), Rate: 500_000, By: faults.Range{High: time.Hour}},
		faults.Rule{Kind: faults.Partition, Procs: procs(5), Rate: 900_000, For: faults.Range{Low: 3 * time.Second, High: 3 * time.Second}, Count: second},
		faults.Rule{Kind: faults.Clock, Procs: procs(4), Rate: 900_000, By: faults.Range{Low: -1, High: 1}, Count: second})
	s := faults.NewSeeded(policy, model.Time(2*time.Minute))
	var b faults.Builder
	for seed := range model.Seed(12) {
		s.Reset(seed)
		for _, pt := range []faults.Point{
			{Family: faults.Message, Op: model.OpComplete, Job: 1, N: int32(seed + 1), Nth: 1},
			{Family: faults.Message, Op: model.OpComplete, Job: 1, N: int32(seed + 1), Nth: 1, Reply: true},
			{Family: faults.Step, Step: model.StepSettle, Proc: 5, Job: 2, N: int32(seed + 1), Nth: 1, After: true},
			{Family: faults.Slot, Slot: faults.SlotCrash, Proc: 5, Nth: 1},
			{Family: faults.Slot, Slot: faults.SlotPartition, Proc: 5, Peer: faults.Queue, Nth: 1},
			{Family: faults.Slot, Slot: faults.SlotClock, Proc: 4, Nth: 1},
			{Family: faults.Slot, Slot: faults.SlotClock, Proc: faults.Queue, Nth: 1},
		} {
			for o := range s.Decide(pt).Each {
				b.Add(faults.Entry{Point: pt, Outcome: o})
			}
		}
	}
	var got []string
	for _, e := range b.Plan() {
		got = append(got, e.Text(&world.Names))
	}
	if diff := cmp.Diff(strings.Split(drawn, "\n"), got); diff != "" {
		t.Errorf("(-pinned +drawn)\n%s", diff)
	}
}

const drawn = `fault duplicate complete J1#1 after=40.384µs
fault clock w1 skew=-1ns
fault clock queue jump=-9.928238812s time=1m35.774s
fault partition w2 queue time=1m59.07s for=3s
fault clock queue jump=+26.51458916s time=32.44s
fault delay complete J1#4 by=512ms
fault partition w2 queue time=53.884s for=3s
fault partition w2 queue time=18.418s for=3s
fault drop complete J1#6
fault duplicate complete J1#6 after=126.742004ms
fault partition w2 queue time=21.328s for=3s
fault clock queue jump=+14.455955171s time=23.086s
fault partition w2 queue time=1m43.746s for=3s
fault clock queue jump=+30.763363459s time=38.569s
fault duplicate complete J1#10 after=498.369µs
fault drop-reply complete J1#10 nth=1
fault partition w2 queue time=1m22.118s for=3s
fault partition w2 queue time=1m10.094s for=3s
fault drop-reply complete J1#12 nth=1`

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
