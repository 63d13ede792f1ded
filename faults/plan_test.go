package faults_test

import (
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

var (
	ackOfFirst = faults.Point{Family: faults.Message, Op: model.OpComplete, Job: 1, N: 1, Nth: 1}
	firstCut   = faults.Point{Family: faults.Slot, Slot: faults.SlotPartition, Proc: 4, Peer: faults.Queue, Nth: 1}
)

func TestAnEmptyPlanIsBenign(t *testing.T) {
	if o := faults.NewPlanned(nil).Decide(ackOfFirst); !o.Benign() {
		t.Errorf("got %+v", o)
	}
}

func TestAPlanStrikesItsPointAndNoOther(t *testing.T) {
	p := faults.NewPlanned(faults.Plan{{Point: ackOfFirst, Outcome: faults.Outcome{Kinds: faults.Drop}}})
	for _, other := range []func(*faults.Point){
		func(p *faults.Point) { p.Op = model.OpRetry },
		func(p *faults.Point) { p.Reply = true },
		func(p *faults.Point) { p.Job = 2 },
		func(p *faults.Point) { p.N = 2 },
		func(p *faults.Point) { p.Nth = 2 },
	} {
		pt := ackOfFirst
		other(&pt)
		if o := p.Decide(pt); !o.Benign() || p.Fired(0) {
			t.Errorf("at %+v: %+v, fired %v", pt, o, p.Fired(0))
		}
	}
	if o := p.Decide(ackOfFirst); !o.Has(faults.Drop) || !p.Fired(0) {
		t.Errorf("at its own point: %+v, fired %v", o, p.Fired(0))
	}
}

// A reply goes by the number of its request. A line that names none means the
// first reply there is: the requests before it may have been lost.
func TestAReplyWithoutANumberIsTheFirstThereIs(t *testing.T) {
	unnumbered, third := ackOfFirst, ackOfFirst
	unnumbered.Reply, unnumbered.Nth = true, faults.FirstReply
	third.Reply, third.Nth = true, 3
	plan := faults.Plan{
		{Point: unnumbered, Outcome: faults.Outcome{Kinds: faults.Drop}},
		{Point: third, Outcome: faults.Outcome{Kinds: faults.Delay, By: time.Second}},
	}
	reply := third
	for nth, want := range map[int32]faults.Kinds{2: faults.Drop, 3: faults.Delay, 4: 0} {
		p := faults.NewPlanned(plan)
		for reply.Nth = 2; reply.Nth < nth; reply.Nth++ {
			p.Decide(reply)
		}
		if o := p.Decide(reply); o.Kinds != want {
			t.Errorf("the reply to request %d: %+v", nth, o)
		}
	}
	p := faults.NewPlanned(plan)
	reply.Nth = 3
	if o := p.Decide(reply); o.Kinds != faults.Drop|faults.Delay || len(p.Unfired()) != 0 {
		t.Errorf("the first reply is the third's: %+v, unfired %v", o, p.Unfired())
	}
}

func TestKindsAtOnePointAreMerged(t *testing.T) {
	p := faults.NewPlanned(faults.Plan{
		{Point: ackOfFirst, Outcome: faults.Outcome{Kinds: faults.Delay, By: time.Second}},
		{Point: ackOfFirst, Outcome: faults.Outcome{Kinds: faults.Duplicate, After: time.Minute}},
	})
	want := faults.Outcome{Kinds: faults.Delay | faults.Duplicate, By: time.Second, After: time.Minute}
	if o := p.Decide(ackOfFirst); o != want {
		t.Errorf("got %+v, want %+v", o, want)
	}
	if len(p.Unfired()) != 0 {
		t.Errorf("unfired: %+v", p.Unfired())
	}
}

func TestACrashAndAPauseOfOneStepAreMerged(t *testing.T) {
	pt := faults.Point{Family: faults.Step, Proc: 4, Step: model.StepApply, After: true, Job: 1, N: 1, Nth: 1}
	p := faults.NewPlanned(faults.Plan{
		{Point: pt, Outcome: faults.Outcome{Kinds: faults.Crash, Restarts: true, Restart: 5}},
		{Point: pt, Outcome: faults.Outcome{Kinds: faults.Pause, For: 7}},
	})
	want := faults.Outcome{Kinds: faults.Crash | faults.Pause, Restarts: true, Restart: 5, For: 7}
	if o := p.Decide(pt); o != want {
		t.Errorf("got %+v, want %+v", o, want)
	}
}

func TestAWindowFiresWhenTheKernelSaysSo(t *testing.T) {
	cut := faults.Outcome{Kinds: faults.Partition, At: 3, For: 60, Oneway: true}
	p := faults.NewPlanned(faults.Plan{{Point: firstCut, Outcome: cut, Line: 9}})
	if o := p.Decide(firstCut); o != cut {
		t.Errorf("the slot holds %+v, want %+v", o, cut)
	}
	if idle := p.Unfired(); len(idle) != 1 || idle[0].Line != 9 {
		t.Errorf("asked about only, unfired is %+v", idle)
	}
	p.MarkFired(firstCut)
	if len(p.Unfired()) != 0 || !p.Fired(0) {
		t.Errorf("after MarkFired, unfired is %+v", p.Unfired())
	}
}

func TestAnOptionalFaultNeedNotFire(t *testing.T) {
	p := faults.NewPlanned(faults.Plan{{Point: ackOfFirst, Outcome: faults.Outcome{Kinds: faults.Drop}, Optional: true}})
	if len(p.Unfired()) != 0 || p.Fired(0) {
		t.Errorf("unfired %+v, fired %v", p.Unfired(), p.Fired(0))
	}
}

func TestABuilderNumbersTheWindowsOfEachSlot(t *testing.T) {
	var b faults.Builder
	other := firstCut
	other.Proc = 5
	for _, e := range []faults.Entry{
		{Point: firstCut, Outcome: faults.Outcome{Kinds: faults.Partition, At: 10, For: 1}},
		{Point: other, Outcome: faults.Outcome{Kinds: faults.Partition, At: 10, For: 1}},
		{Point: firstCut, Outcome: faults.Outcome{Kinds: faults.Partition, At: 5, For: 1}},
	} {
		if clash, ok := b.Add(e); !ok {
			t.Errorf("%+v clashes with %+v", e, clash)
		}
	}
	for i, want := range []int32{1, 1, 2} {
		if got := b.Plan()[i].Point.Nth; got != want {
			t.Errorf("window %d of the plan has Nth %d, want %d", i, got, want)
		}
	}
}

func TestABuilderRefusesTheSameFaultTwice(t *testing.T) {
	var b faults.Builder
	cut := faults.Outcome{Kinds: faults.Partition, At: 10, For: 1}
	longer := cut
	longer.For = 2
	b.Add(faults.Entry{Point: firstCut, Outcome: cut, Line: 7})
	if clash, ok := b.Add(faults.Entry{Point: firstCut, Outcome: longer}); ok || clash.Line != 7 {
		t.Errorf("a second window from the same instant: clash %+v, ok %v", clash, ok)
	}
	if len(b.Plan()) != 1 {
		t.Errorf("the plan has %d entries, want 1", len(b.Plan()))
	}
}

func TestDecideAllocatesNothing(t *testing.T) {
	p := faults.NewPlanned(faults.Plan{{Point: ackOfFirst, Outcome: faults.Outcome{Kinds: faults.Drop}}})
	if n := testing.AllocsPerRun(100, func() { p.Decide(ackOfFirst); p.Decide(firstCut) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDecide(b *testing.B) {
	p := faults.NewPlanned(faults.Plan{{Point: ackOfFirst, Outcome: faults.Outcome{Kinds: faults.Drop}}})
	for b.Loop() {
		p.Decide(firstCut)
	}
}
