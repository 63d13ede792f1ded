package sim_test

import (
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// What happens a second time: windows that lie over each other or follow one
// another, a message that waits, a kernel that is used again.

func nthSlot(kind faults.SlotKind, p model.Proc, n int32) faults.Point {
	s := slot(kind, p)
	s.Nth = n
	return s
}

func pauseAt(d, length time.Duration) faults.Outcome {
	return faults.Outcome{Kinds: faults.Pause, At: model.Time(d), For: length}
}

func TestWhatWaitedInOnePauseDoesNotComeBackInTheNext(t *testing.T) {
	w := newWorld(500*time.Millisecond, 2500*time.Millisecond)
	w.config.Adversary = plan{
		nthSlot(faults.SlotPause, echo, 1): pauseAt(500, time.Second-500),
		nthSlot(faults.SlotPause, echo, 2): pauseAt(2*time.Second, time.Second),
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start", "0.500s asker timer 0",
		"1.000s echo ping 1", "1.001s asker pong 1",
		"2.500s asker timer 0", "3.000s echo ping 2", "3.001s asker pong 2",
	)
}

func TestAStepThatOnePauseHeldUpIsNotTakenAgainAfterTheNext(t *testing.T) {
	w := stepper()
	w.config.Adversary = plan{
		at(stepPoint(model.StepApply), false): {Kinds: faults.Pause, For: time.Second},
		slot(faults.SlotPause, asker):         pauseAt(2*time.Second, time.Second),
	}
	w.run()
	w.expect(t,
		"0.000s stepper start",
		"0.000s stepper next", "0.000s took mark refused=false",
		"1.000s stepper next", "1.000s took apply refused=false",
	)
}

func TestOfTwoPausesTheLongerEndsIt(t *testing.T) {
	for name, windows := range map[string][2]faults.Outcome{
		"a pause within a pause":        {pauseAt(500, 3*time.Second-500), pauseAt(time.Second, time.Second)},
		"a pause that outlasts a pause": {pauseAt(500, 2*time.Second), pauseAt(time.Second, 2*time.Second)},
	} {
		w := newWorld(500 * time.Millisecond)
		w.config.Adversary = plan{
			nthSlot(faults.SlotPause, echo, 1): windows[0],
			nthSlot(faults.SlotPause, echo, 2): windows[1],
		}
		w.run()
		if got, want := w.diary[3], "3.000s echo ping 1"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := w.count(model.Paused); got != 1 {
			t.Errorf("%s is recorded as %d pauses", name, got)
		}
		if got := w.count(model.Woke); got != 1 {
			t.Errorf("%s wakes %d times", name, got)
		}
	}
}

func (w *world) count(k model.Kind) (n int) {
	for i := range w.history.Events {
		if w.history.Events[i].Kind == k {
			n++
		}
	}
	return n
}

func TestAPauseFromTheStartHoldsTheStartUpAndHasFired(t *testing.T) {
	w := stepper()
	window := slot(faults.SlotPause, asker)
	w.config.Adversary = plan{window: pauseAt(0, time.Second)}
	var fired []faults.Point
	w.config.Fired = func(p faults.Point) { fired = append(fired, p) }
	w.run()
	w.expect(t,
		"1.000s stepper start",
		"1.000s stepper next", "1.000s took mark refused=false",
		"1.000s stepper next", "1.000s took apply refused=false",
	)
	if len(fired) != 1 || fired[0] != window {
		t.Errorf("fired are %v, want the pause", fired)
	}
}

func TestAStepIsAskedAboutOnceThoughAPauseHoldsItUp(t *testing.T) {
	w := stepper()
	first := at(stepPoint(model.StepApply), false)
	second := first
	second.Nth = 2
	w.config.Adversary = plan{first: {Kinds: faults.Pause, For: time.Second}, second: {Kinds: faults.Crash}}
	w.run()
	if got := w.count(model.Crashed); got != 0 {
		t.Errorf("the step was asked about again when the pause was over\n%s", w.records())
	}
}

func TestOnlyTheHeartbeatsTimerStandsStill(t *testing.T) {
	w := newWorld(0)
	step := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Kind == sim.Start {
			fx.After(1, time.Second)
			fx.After(2, time.Second)
		}
		w.note("stalled=%t", in.Stalled)
	}
	w.procs = []sim.Process[ping]{nil, &party{step, w, "heart"}, nil}
	w.config.StallSlot = 2
	w.config.Adversary = plan{slot(faults.SlotStall, asker): {Kinds: faults.Stall, For: time.Minute}}
	w.run()
	w.expect(t,
		"0.000s heart start", "stalled=false",
		"1.000s heart timer 1", "stalled=false", "1.000s heart timer 2", "stalled=true",
	)
}

func TestATimerOfTheDeadIsNotArmed(t *testing.T) {
	w := newWorld(time.Second)
	ask := w.procs[asker].(*party).step
	w.procs[asker].(*party).step = func(now model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		ask(now, in, fx)
		if in.Kind == sim.Timer {
			fx.At(echo, 0, model.Time(2*time.Second))
		}
	}
	w.config.Adversary = plan{slot(faults.SlotCrash, echo): {Kinds: faults.Crash, At: model.Time(time.Millisecond)}}
	w.run()
	w.expect(t, "0.000s asker start", "0.000s echo start", "0.001s echo crash", "1.000s asker timer 0")
}

// A call crosses no link: it takes no time, no cut stops it and chance does not
// touch it.
func TestWhatIsCalledStandsBeside(t *testing.T) {
	w := newWorld(0)
	step := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Kind == sim.Start {
			fx.After(0, time.Second)
		}
		if in.Kind == sim.Timer {
			fx.Call(echo, ping{n: 1}, ping{n: 1}.point())
		}
	}
	w.procs[asker] = &party{step, w, "asker"}
	answer := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Kind == sim.Arrival {
			fx.Reply(in, ping{n: 1, reply: true}, ping{1, true}.point(), true)
		}
	}
	w.procs[echo] = &party{answer, w, "echo"}
	w.config.Network.Loss = sim.Million
	w.config.Adversary = plan{
		{Family: faults.Slot, Slot: faults.SlotPartition, Proc: asker, Peer: echo, Nth: 1}: {
			Kinds: faults.Partition, For: time.Minute,
		},
	}
	w.run()
	w.expect(t, "0.000s asker start", "0.000s echo start", "1.000s asker timer 0", "1.000s echo ping 1", "1.000s asker pong 1")
}

func TestChanceEndsAtUntil(t *testing.T) {
	w := newWorld(time.Second-1, time.Second)
	w.config.Network.Loss = sim.Million
	w.config.Network.Until = model.Time(time.Second)
	w.run()
	if got := w.lostBy(model.ByChance); got != 1 {
		t.Errorf("%d messages were lost, want the one before the end\n%s", got, w.records())
	}
}

func TestTheDeadAreNotPaused(t *testing.T) {
	w := newWorld(0)
	w.config.Adversary = plan{
		slot(faults.SlotCrash, asker): {Kinds: faults.Crash, At: 500},
		slot(faults.SlotPause, asker): pauseAt(time.Second, time.Second),
	}
	w.run()
	if got := w.count(model.Paused); got != 0 {
		t.Errorf("a dead process is paused %d times", got)
	}
}

func TestACrashInAPauseLosesWhatWaited(t *testing.T) {
	w := newWorld(0)
	w.config.Adversary = plan{
		slot(faults.SlotPause, echo):       pauseAt(500, time.Minute),
		nthSlot(faults.SlotPause, echo, 2): pauseAt(3*time.Second, time.Second), // brings nothing back
		slot(faults.SlotCrash, echo):       {Kinds: faults.Crash, At: model.Time(time.Second), Restarts: true, Restart: time.Second},
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start", "0.000s asker timer 0",
		"1.000s echo crash", "2.000s echo restart",
	)
	if got := w.lostBy(model.ByOutage) + w.lostBy(model.ByDeath); got != 1 {
		t.Errorf("%d messages were lost, want the one that waited\n%s", got, w.records())
	}
}

func (w *world) lostBy(why model.Cause) (n int) {
	for i := range w.history.Events {
		if e := &w.history.Events[i]; e.Kind == model.Lost && e.Cause == why {
			n++
		}
	}
	return n
}

func TestWhatHasArrivedAtASleeperIsBehindEveryCut(t *testing.T) {
	w := newWorld(0)
	w.config.Adversary = plan{
		slot(faults.SlotPause, echo): pauseAt(500, time.Second),
		{Family: faults.Slot, Slot: faults.SlotPartition, Proc: asker, Peer: echo, Nth: 1}: {
			Kinds: faults.Partition, At: model.Time(10 * time.Millisecond), For: 500 * time.Millisecond,
		},
		{Family: faults.Slot, Slot: faults.SlotPartition, Proc: echo, Peer: asker, Nth: 1}: {
			Kinds: faults.Partition, At: model.Time(900 * time.Millisecond), For: 500 * time.Millisecond,
		},
	}
	w.run()
	if got := w.lostBy(model.ByPartition); got != 1 {
		t.Errorf("%d messages were lost to the cut, want the answer alone\n%s", got, w.records())
	}
	for _, e := range w.history.Events {
		if e.Kind == model.Lost && !e.Has(model.IsReply) {
			t.Errorf("the request was lost, which had arrived before the cut\n%s", w.records())
		}
	}
}

func TestTimersThatRanOutInAPauseComeInTheOrderInWhichTheyWereDue(t *testing.T) {
	w := newWorld(0)
	step := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Kind == sim.Start {
			fx.After(0, 300*time.Millisecond)
			fx.After(1, 100*time.Millisecond)
			fx.After(3, 200*time.Millisecond)
			fx.After(2, 200*time.Millisecond)
		}
	}
	w.procs = []sim.Process[ping]{nil, &party{step, w, "clockmaker"}, nil}
	w.config.Adversary = plan{slot(faults.SlotPause, asker): pauseAt(time.Millisecond, time.Second)}
	w.run()
	w.expect(t,
		"0.000s clockmaker start",
		"1.001s clockmaker timer 1", "1.001s clockmaker timer 3", "1.001s clockmaker timer 2", "1.001s clockmaker timer 0",
	)
}

func TestWhatComesAtTheHorizonStillHappensAndNothingAfterIt(t *testing.T) {
	w := newWorld(0)
	w.config.Horizon = model.Time(time.Millisecond)
	if end := w.run(); end != model.Horizon {
		t.Errorf("the run ends as %s", end)
	}
	w.expect(t, "0.000s asker start", "0.000s echo start", "0.000s asker timer 0", "0.001s echo ping 1")
}

func TestTheWorldIsToldUntilWhenALateMessageIsOnItsWay(t *testing.T) {
	for name, c := range map[string]struct {
		outcome faults.Outcome
		want    time.Duration
	}{
		"late":    {faults.Outcome{Kinds: faults.Delay, By: 3 * time.Second}, 3*time.Second + time.Millisecond},
		"doubled": {faults.Outcome{Kinds: faults.Duplicate, After: 2 * time.Second}, 2*time.Second + time.Millisecond},
		"dropped": {faults.Outcome{Kinds: faults.Drop}, 0},
	} {
		w := newWorld(0)
		var until model.Time
		w.config.Disturbed = func(t model.Time) { until = max(until, t) }
		w.config.Adversary = plan{message(1, false): c.outcome}
		w.run()
		if until != model.Time(c.want) {
			t.Errorf("%s: disturbed until %s, want %s", name, until, model.Time(c.want))
		}
	}
}

func TestACopyThatIsLostIsRecordedAsACopy(t *testing.T) {
	w := newWorld(0)
	w.config.Adversary = plan{
		message(1, false):            {Kinds: faults.Duplicate, After: time.Second},
		slot(faults.SlotCrash, echo): {Kinds: faults.Crash, At: model.Time(500 * time.Millisecond)},
	}
	w.run()
	for _, e := range w.history.Events {
		if e.Kind == model.Lost && !e.Has(model.IsCopy) {
			t.Errorf("the lost copy is recorded as the original: %+v", e)
		}
	}
	if got := w.lostBy(model.ByOutage); got != 1 {
		t.Errorf("%d messages were lost, want the copy", got)
	}
}

func TestAKernelUsedAgainRemembersNothing(t *testing.T) {
	w := newWorld(0)
	w.config.Adversary = plan{
		message(1, true): {Kinds: faults.Drop},
		{Family: faults.Slot, Slot: faults.SlotPartition, Proc: asker, Peer: echo, Nth: 1}: {
			Kinds: faults.Partition, At: model.Time(time.Second), For: 2 * time.Hour,
		},
	}
	w.run() // ends at the horizon, with the cut open
	used := w.kernel
	fresh := newWorld(0, 2*time.Second)
	fresh.run()
	again := newWorld(0, 2*time.Second)
	again.kernel = used
	again.run()
	again.expect(t, fresh.diary...)
	if again.kernel.Steps() != fresh.kernel.Steps() {
		t.Errorf("%d steps on a used kernel, %d on a fresh one", again.kernel.Steps(), fresh.kernel.Steps())
	}
}

// A timer that is left as it is, or stopped, keeps no other of its step from being armed; one
// that was stopped may be armed again for its instant, and what is armed for the past is due.
func TestEveryTimerOfAStepIsArmed(t *testing.T) {
	w := newWorld(0)
	step := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		switch {
		case in.Kind == sim.Start:
			fx.After(0, time.Second)
			fx.After(0, time.Second)
			fx.After(1, time.Second)
			fx.Disarm(0)
			fx.After(2, 2*time.Second)
			fx.After(3, time.Second)
			fx.Disarm(3)
			fx.After(3, time.Second)
		case in.Slot == 2:
			fx.At(asker, 0, model.Time(time.Second))
		}
	}
	w.procs = []sim.Process[ping]{nil, &party{step, w, "ringer"}, nil}
	w.run()
	w.expect(t, "0.000s ringer start", "1.000s ringer timer 1", "1.000s ringer timer 3", "2.000s ringer timer 2", "2.000s ringer timer 0")
}

// Who recovers from the panic of a step has what it wanted left undone: that is none of
// the next run's.
func TestAKernelUsedAgainAfterAPanicDoesNothingOfIt(t *testing.T) {
	w := newWorld(0, time.Second)
	w.panics(t, func(fx *sim.Effects[ping]) {
		for n := range int32(3) {
			fx.Send(echo, ping{n: n + 7}, ping{n: n + 7}.point())
		}
		fx.After(2, 0)
		fx.After(3, 0)
		fx.Then(faults.Point{}, faults.Point{})
	})
	w.run()
	w.expect(t, "0.000s asker start", "0.000s echo start", "0.000s asker timer 0", "0.001s echo ping 1", "0.002s asker pong 1",
		"1.000s asker timer 0", "1.001s echo ping 2", "1.002s asker pong 2")
}
