package sim_test

import (
	"slices"
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
