package sim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// Whose turn it is when several things come at one instant, or two windows lie
// over each other.

func TestOnWakingWhatWaitedComesBeforeTheTimerOfThatVeryInstant(t *testing.T) {
	w := newWorld(0, time.Second)
	w.config.Adversary = plan{
		slot(faults.SlotPause, asker): {Kinds: faults.Pause, At: 1500000, For: time.Second - 1500000},
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start",
		"0.000s asker timer 0", "0.001s echo ping 1",
		"1.000s asker pong 1",
		"1.000s asker timer 0", "1.001s echo ping 2", "1.002s asker pong 2",
	)
}

// An unrelated look at the clock must not move a timer behind what was scheduled
// after it.
func TestATimerArmedOnceMoreForItsInstantKeepsItsTurn(t *testing.T) {
	w := newWorld(0)
	again := func(at ...time.Duration) func(model.Time, *sim.Input[ping], *sim.Effects[ping]) {
		return func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
			if in.Kind == sim.Start || in.Slot == 1 {
				fx.At(asker, 0, model.Time(time.Second))
				for _, d := range at {
					fx.After(1, d)
				}
				at = nil
			}
		}
	}
	w.procs[asker].(*party).step = again(500 * time.Millisecond)
	w.procs[echo].(*party).step = func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Kind == sim.Start {
			fx.After(0, time.Second)
		}
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start", "0.500s asker timer 1",
		"1.000s asker timer 0", "1.000s echo timer 0",
	)
}

func TestAHeartbeatStandsStillUntilTheLastOfItsStallsIsOver(t *testing.T) {
	w := newWorld(0, time.Second, 2*time.Second, 3*time.Second, 4*time.Second)
	second := slot(faults.SlotStall, asker)
	second.Nth = 2
	w.config.Adversary = plan{
		slot(faults.SlotStall, asker): {Kinds: faults.Stall, At: model.Time(500 * time.Millisecond), For: 3 * time.Second},
		second:                        {Kinds: faults.Stall, At: model.Time(time.Second), For: 500 * time.Millisecond},
	}
	var stood []model.Time
	p := w.procs[asker].(*party)
	step := p.step
	p.step = func(now model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Stalled {
			stood = append(stood, now)
		}
		step(now, in, fx)
	}
	w.run()
	s := model.Time(time.Second)
	if want := []model.Time{s, 2 * s, 3 * s}; !slices.Equal(stood, want) {
		t.Errorf("it stood still at %v, want %v", stood, want)
	}
}

// What is armed for the past is armed for now, behind what was scheduled for now before.
func TestATimerArmedForThePastHasTheLastTurn(t *testing.T) {
	w := newWorld(0)
	step := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		switch {
		case in.Kind == sim.Start:
			fx.After(0, time.Second)
			fx.After(1, time.Second)
			fx.After(2, time.Second)
		case in.Slot == 0:
			fx.At(asker, 1, model.Time(time.Millisecond))
		}
	}
	w.procs = []sim.Process[ping]{nil, &party{step, w, "late"}, nil}
	w.run()
	w.expect(t, "0.000s late start", "1.000s late timer 0", "1.000s late timer 2", "1.000s late timer 1")
}

func TestOfOneStepTheSendsComeFirstThenTheTimersThenTheNextStep(t *testing.T) {
	w := newWorld(0)
	step := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Kind == sim.Start {
			fx.Then(faults.Point{}, faults.Point{})
			fx.After(0, 0)
			fx.Call(asker, ping{n: 1}, faults.Point{})
		}
	}
	w.procs = []sim.Process[ping]{nil, &party{step, w, "doer"}, nil}
	w.run()
	w.expect(t, "0.000s doer start", "0.000s doer ping 1", "0.000s doer timer 0", "0.000s doer next")
}

// The last horizon is 17 before Never: what comes after it are the empty seats of the agenda,
// which nobody may take for events.
func TestARunEndsBeforeTheEndOfTime(t *testing.T) {
	const last = model.Never - 17
	for _, horizon := range []model.Time{last - 1, last, last + 1, model.Never - 1, model.Never} {
		w := newWorld(0)
		step := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
			if in.Kind == sim.Start {
				fx.At(asker, 0, last-1)
				fx.At(asker, 1, last)
				fx.At(asker, 2, last+1)
				fx.At(asker, 3, model.Never-2)
			}
		}
		w.procs = []sim.Process[ping]{nil, &party{step, w, "eternal"}, nil}
		w.config.Horizon = horizon
		w.kernel.Reset(w.config, w.procs)
		w.kernel.Inject(last+1, asker, asker, ping{n: 1})
		w.kernel.Inject(model.Never-3, asker, asker, ping{n: 2})
		if end := w.kernel.Run(); end != model.Horizon || w.kernel.Now() != min(horizon, last) {
			t.Errorf("with the horizon at %d the run ends as %s at %d", horizon, end, w.kernel.Now())
		}
		want := 2 + int(min(horizon, last)-(last-1))
		if len(w.diary) != want || !strings.Contains(w.diary[want-1], "eternal timer") {
			t.Errorf("with the horizon at %d the diary is %q", horizon, w.diary)
		}
	}
}

// A timer that its own step arms again takes a place that was just left: not so after the horizon.
func TestATimerThatItsStepArmsForAfterTheHorizonDoesNotRunOut(t *testing.T) {
	for _, late := range []model.Time{1, 2, model.Time(time.Second)} {
		w := newWorld(0)
		w.config.Horizon = model.Time(time.Second)
		step := func(_ model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
			if at := w.config.Horizon + late; in.Kind == sim.Start {
				fx.After(0, time.Millisecond)
			} else {
				fx.At(asker, 0, at)
			}
		}
		w.procs = []sim.Process[ping]{nil, &party{step, w, "ringer"}, nil}
		if end := w.run(); end != model.Horizon {
			t.Errorf("the run ends as %s", end)
		}
		w.expect(t, "0.000s ringer start", "0.001s ringer timer 0")
	}
}
