package faults_test

import (
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// A plan that is long is looked up otherwise than a short one, and means the same: each
// of its points is struck as it says, also where two kinds are at one, and no other is.
func TestALongPlanIsFollowedAsAShortOneIs(t *testing.T) {
	for _, jobs := range []int{3, 5, 6, 40} { // three entries each
		var plan faults.Plan
		for job := 1; job <= jobs; job++ {
			pt := completion(job, 1)
			plan = append(plan,
				faults.Entry{Point: pt, Outcome: faults.Outcome{Kinds: faults.Delay, By: time.Duration(job)}},
				faults.Entry{Point: pt, Outcome: faults.Outcome{Kinds: faults.Duplicate, After: time.Second}},
				faults.Entry{Point: completion(job, 2), Outcome: faults.Outcome{Kinds: faults.Drop}})
		}
		p := faults.NewPlanned(plan)
		for job := 1; job <= jobs; job++ {
			want := faults.Outcome{Kinds: faults.Delay | faults.Duplicate, By: time.Duration(job), After: time.Second}
			if got := p.Decide(completion(job, 1)); got != want {
				t.Errorf("of %d jobs job %d: %+v, want %+v", jobs, job, got, want)
			}
			if got := p.Decide(completion(job, 3)); !got.Benign() {
				t.Errorf("of %d jobs job %d: %+v at a point that the plan does not name", jobs, job, got)
			}
		}
		if idle := p.Unfired(); len(idle) != jobs {
			t.Errorf("%d entries did not fire, want the %d of second deliveries", len(idle), jobs)
		}
		if p.Reset(nil); !p.Decide(completion(1, 1)).Benign() {
			t.Error("after Reset it follows the plan before")
		}
	}
}

// What merge puts together Each takes apart, kind by kind with the fields of each.
func TestEachYieldsEveryKindByItself(t *testing.T) {
	o := faults.Outcome{Kinds: faults.Delay | faults.Duplicate | faults.Crash, By: 3, After: 5, Restart: 7, Restarts: true}
	want := []faults.Outcome{
		{Kinds: faults.Delay, By: 3}, {Kinds: faults.Duplicate, After: 5}, {Kinds: faults.Crash, Restart: 7, Restarts: true},
	}
	var got []faults.Outcome
	for one := range o.Each {
		got = append(got, one)
	}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
}

// A message or a step has struck when it was drawn, a window when it changed something.
func TestAStrikeIsCountedOnceItIsOne(t *testing.T) {
	pause := faults.Point{Family: faults.Slot, Slot: faults.SlotPause, Proc: 4, Nth: 1}
	struck, drawn, windows := 0, 0, 0
	for seed := range model.Seed(200) {
		s := seeded(seed)
		for job := range 20 {
			if !s.Decide(faults.Point{Family: faults.Message, Op: model.OpClaim, Job: model.Job(job + 1), N: 1, Nth: 1}).Benign() {
				drawn++
			}
		}
		isOpen := !s.Decide(pause).Benign()
		if struck += s.Struck[0]; s.Struck[4] != 0 {
			t.Fatalf("seed %d: a pause that changed nothing has struck", seed)
		}
		if s.MarkFired(pause); isOpen {
			if windows++; s.Struck[4] != 1 {
				t.Fatalf("seed %d: a pause that changed something has struck %d times", seed, s.Struck[4])
			}
		}
		p := prioritised(seed, 1)
		if p.Decide(completion(1, 1)); p.Struck[0]+p.Struck[2] != 1 {
			t.Fatalf("seed %d: one message was struck %d times", seed, p.Struck[0]+p.Struck[2])
		}
	}
	if struck != drawn || drawn < 200 || windows < 20 {
		t.Errorf("%d strikes of %d that were drawn, %d windows", struck, drawn, windows)
	}
}

// A range of times has its share of each order of magnitude, in whole milliseconds; one
// that reaches below zero is even, and one of a single value is that.
func TestARangeIsDrawnEvenly(t *testing.T) {
	for _, c := range []struct{ low, high, middle time.Duration }{
		{time.Millisecond, 1024 * time.Millisecond, 48 * time.Millisecond}, {3, 3000, 96},
		{-time.Minute, time.Minute, 0}, {-2 * time.Hour, -time.Hour, -90 * time.Minute}, {time.Second, time.Second, 0}, {-1, 2, 1}, {0, 1 << 40, 1 << 20},
	} {
		r := faults.Range{Low: c.low, High: c.high}
		policy := faults.Policy{{Kind: faults.Clock, Procs: procs(faults.Queue), Rate: 1_000_000, By: r, Count: faults.IntRange{Low: 1, High: 1}}}
		s := faults.NewSeeded(policy, model.Time(time.Minute))
		const seeds = 4000
		below := 0
		for seed := range model.Seed(seeds) {
			s.Reset(seed)
			o := s.Decide(faults.Point{Family: faults.Slot, Slot: faults.SlotClock, Proc: faults.Queue, Nth: 1})
			if o.Benign() || o.By < r.Low || o.By > r.High || r.Low == time.Millisecond && o.By%time.Millisecond != 0 {
				t.Fatalf("%v: seed %d draws %+v", r, seed, o)
			}
			if o.By < c.middle {
				below++
			}
		}
		if r.Low != r.High && (below < seeds*45/100 || below > seeds*55/100) {
			t.Errorf("%v: %d of %d draws are below %s", r, below, seeds, c.middle)
		}
	}
}

// Of one to three windows, each of which stays by a rate of a half, a seed has one in
// the mean; a clock that is off is off once.
func TestASlotHasAsManyWindowsAsItsRuleSays(t *testing.T) {
	policy := faults.Policy{
		{Kind: faults.Pause, Procs: procs(4), Rate: 500_000, For: faults.Range{Low: time.Second, High: time.Minute}, Count: faults.IntRange{Low: 1, High: 3}},
		{Kind: faults.Clock, Procs: procs(faults.Queue, 4), Rate: 1_000_000, By: faults.Range{Low: time.Second, High: time.Minute}, Count: faults.IntRange{Low: 2, High: 2}},
	}
	s := faults.NewSeeded(policy, model.Time(time.Minute))
	count := func(slot faults.SlotKind, p model.Proc) (n int) {
		pt := faults.Point{Family: faults.Slot, Slot: slot, Proc: p, Nth: 1}
		for ; !s.Decide(pt).Benign(); pt.Nth++ {
			n++
		}
		return n
	}
	pauses, seeds, on := 0, 0, 0
	var most int
	for seed := range model.Seed(4000) {
		s.Reset(seed)
		pt := faults.Point{Family: faults.Slot, Slot: faults.SlotPause, Proc: 4}
		if s.Asks(pt) {
			seeds++
			n := count(faults.SlotPause, 4)
			pauses, most = pauses+n, max(most, n)
		}
		if s.Asks(faults.Point{Family: faults.Slot, Slot: faults.SlotClock}) {
			on++
			if steps, off := count(faults.SlotClock, faults.Queue), count(faults.SlotClock, 4); steps != 2 || off != 1 {
				t.Fatalf("seed %d: the queue's clock steps %d times, want 2; w1's is off %d times, want once", seed, steps, off)
			}
			if o := s.Decide(faults.Point{Family: faults.Slot, Slot: faults.SlotClock, Proc: 4, Nth: 1}); o.At != 0 {
				t.Fatalf("seed %d: w1's clock is off from %s on, and not from the start", seed, o.At)
			}
		}
	}
	if pauses < seeds*93/100 || pauses > seeds*107/100 || most != 3 || on == 0 {
		t.Errorf("%d pauses in %d seeds, at most %d in one; %d seeds with clocks", pauses, seeds, most, on)
	}
}
