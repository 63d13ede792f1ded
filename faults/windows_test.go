package faults_test

import (
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

const worker = model.Proc(3)

// stormy has two lines about the pauses of one worker, one about the queue's clock, one about
// a worker's, and two about messages.
func stormy() faults.Policy {
	return faults.Policy{
		{Kind: faults.Pause, Procs: procs(worker), For: faults.Range{Low: time.Second, High: 2 * time.Second}, Count: faults.IntRange{Low: 0, High: 1}},
		{Kind: faults.Pause, Procs: procs(worker), For: faults.Range{Low: time.Minute, High: 90 * time.Second}, Count: faults.IntRange{Low: 0, High: 2}},
		{Kind: faults.Clock, Procs: procs(faults.Queue), By: faults.Range{Low: time.Second, High: 10 * time.Second}, Count: faults.IntRange{Low: 1, High: 3}},
		{Kind: faults.Clock, Procs: procs(worker), By: faults.Range{Low: -time.Second, High: time.Second}, Count: faults.IntRange{Low: 1, High: 3}},
		{Kind: faults.Delay, Reply: true, Ops: ops(model.OpComplete), By: faults.Range{Low: time.Second, High: 2 * time.Second}},
		{Kind: faults.Duplicate, Ops: ops(model.OpComplete), By: faults.Range{Low: time.Second, High: 2 * time.Second}},
		{Kind: faults.Crash, Procs: procs(worker), Back: faults.Range{Low: time.Second, High: 5 * time.Second}, Count: faults.IntRange{Low: 0, High: 0}},
	}
}

func window(slot faults.SlotKind, p model.Proc, nth int32) faults.Point {
	return faults.Point{Family: faults.Slot, Slot: slot, Proc: p, Nth: nth}
}

// What strikes is booked on the first line that can do it: to that process or message, that
// bad, and in a slot not once too often. Else on none.
func TestWhatStrikesIsDoneByTheLineThatCan(t *testing.T) {
	settle := faults.Point{Family: faults.Message, Op: model.OpComplete, Nth: 1}
	answer, claim := settle, settle
	answer.Reply, claim.Op = true, model.OpClaim
	for _, c := range []struct {
		what string
		at   faults.Point
		o    faults.Outcome
		line int // of stormy, -1 for none
	}{
		{"a short pause", window(faults.SlotPause, worker, 1), faults.Outcome{Kinds: faults.Pause, For: 2 * time.Second}, 0},
		{"a pause that quiet has cut short", window(faults.SlotPause, worker, 1), faults.Outcome{Kinds: faults.Pause, For: time.Millisecond}, 0},
		{"a longer one", window(faults.SlotPause, worker, 1), faults.Outcome{Kinds: faults.Pause, For: 2*time.Second + 1}, 1},
		{"the second", window(faults.SlotPause, worker, 2), faults.Outcome{Kinds: faults.Pause, For: time.Second}, 1},
		{"the third", window(faults.SlotPause, worker, 3), faults.Outcome{Kinds: faults.Pause, For: time.Second}, -1},
		{"the longest", window(faults.SlotPause, worker, 1), faults.Outcome{Kinds: faults.Pause, For: 90 * time.Second}, 1},
		{"one too long", window(faults.SlotPause, worker, 1), faults.Outcome{Kinds: faults.Pause, For: 90*time.Second + 1}, -1},
		{"somebody else's", window(faults.SlotPause, worker+1, 1), faults.Outcome{Kinds: faults.Pause, For: time.Second}, -1},
		{"a pause at a step", faults.Point{Family: faults.Step, Step: model.StepApply, Proc: worker}, faults.Outcome{Kinds: faults.Pause, For: time.Minute}, 1},
		{"a step of the clock", window(faults.SlotClock, faults.Queue, 3), faults.Outcome{Kinds: faults.Clock, By: time.Second}, 2},
		{"the largest", window(faults.SlotClock, faults.Queue, 3), faults.Outcome{Kinds: faults.Clock, By: 10 * time.Second}, 2},
		{"one too small", window(faults.SlotClock, faults.Queue, 3), faults.Outcome{Kinds: faults.Clock, By: time.Second - 1}, -1},
		{"one too large", window(faults.SlotClock, faults.Queue, 3), faults.Outcome{Kinds: faults.Clock, By: 10*time.Second + 1}, -1},
		{"the fourth", window(faults.SlotClock, faults.Queue, 4), faults.Outcome{Kinds: faults.Clock, By: time.Second}, -1},
		{"a clock that is off", window(faults.SlotClock, worker, 1), faults.Outcome{Kinds: faults.Clock, By: -time.Second}, 3},
		{"off twice", window(faults.SlotClock, worker, 2), faults.Outcome{Kinds: faults.Clock, By: -time.Second}, -1},
		{"a late answer", answer, faults.Outcome{Kinds: faults.Delay, By: time.Second}, 4},
		{"a late request", settle, faults.Outcome{Kinds: faults.Delay, By: time.Second}, -1},
		{"a doubled request", settle, faults.Outcome{Kinds: faults.Duplicate, After: 2 * time.Second}, 5},
		{"doubled too late", settle, faults.Outcome{Kinds: faults.Duplicate, After: 3 * time.Second}, -1},
		{"another verb", claim, faults.Outcome{Kinds: faults.Duplicate, After: 2 * time.Second}, -1},
		{"a crash at a step", faults.Point{Family: faults.Step, Step: model.StepApply, Proc: worker}, faults.Outcome{Kinds: faults.Crash, Restarts: true, Restart: 5 * time.Second}, 6},
		{"back too late", faults.Point{Family: faults.Step, Step: model.StepApply, Proc: worker}, faults.Outcome{Kinds: faults.Crash, Restarts: true, Restart: 6 * time.Second}, -1},
		{"a crash in a window, of which there is none", window(faults.SlotCrash, worker, 1), faults.Outcome{Kinds: faults.Crash, Restarts: true, Restart: time.Second}, -1},
	} {
		s := faults.NewSeeded(stormy(), model.Time(time.Minute))
		s.Reset(1)
		s.Befell(c.at, c.o)
		for i, times := range s.Struck[:len(stormy())] {
			if want := map[bool]int{i == c.line: 1}[true]; times != want {
				t.Errorf("%s: line %d strikes %d times, want %d", c.what, i, times, want)
			}
		}
		if allowed := stormy().Allows(c.at, c.o); allowed != (c.line >= 0) {
			t.Errorf("%s: it is allowed: %v", c.what, allowed)
		}
	}
}

// Each kind with windows has its slot, and the others have none.
func TestASlotIsOfOneKind(t *testing.T) {
	for kind, slot := range map[faults.Kinds]faults.SlotKind{faults.Crash: faults.SlotCrash, faults.Pause: faults.SlotPause, faults.Stall: faults.SlotStall, faults.Partition: faults.SlotPartition, faults.Clock: faults.SlotClock} {
		if got, ok := faults.SlotOf(kind); !ok || got != slot {
			t.Errorf("kind %v has slot %v, %v; want %v", kind, got, ok, slot)
		}
	}
	for _, kind := range []faults.Kinds{0, faults.Drop, faults.Delay, faults.Duplicate, faults.Refuse} {
		if got, ok := faults.SlotOf(kind); ok {
			t.Errorf("kind %v has slot %v", kind, got)
		}
	}
}
