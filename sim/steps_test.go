package sim_test

import (
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// A stepper takes the two named steps mark and apply, one after the other, and
// is then done. What can stand before, between and after them is tried here.

func stepper() *world {
	w := newWorld(0)
	steps := []model.Step{model.StepMark, model.StepApply}
	taken := 0 // durable: a restart goes on where the crash was
	then := func(fx *sim.Effects[ping]) {
		if taken < len(steps) {
			fx.Then(stepPoint(steps[taken]), applyPoint(steps[taken]))
		}
	}
	step := func(now model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Kind == sim.Next {
			w.note("%s took %s refused=%t", fx.Now(), steps[taken], in.Refused)
			taken++
		}
		then(fx)
	}
	w.procs = []sim.Process[ping]{nil, &party{step, w, "stepper"}, nil}
	return w
}

func stepPoint(s model.Step) faults.Point {
	return faults.Point{Family: faults.Step, Proc: asker, Step: s, Job: 1, N: 1}
}

func applyPoint(s model.Step) faults.Point {
	if s != model.StepApply {
		return faults.Point{}
	}
	return faults.Point{Family: faults.Message, Op: model.OpApply, Job: 1, N: 1}
}

func at(p faults.Point, after bool) faults.Point {
	p.After, p.Nth = after, 1
	return p
}

func TestACrashStandsBeforeOrAfterAStepAndNeverInIt(t *testing.T) {
	crash := faults.Outcome{Kinds: faults.Crash}
	for _, c := range []struct {
		point faults.Point
		want  []string
	}{
		{at(stepPoint(model.StepMark), false), nil},
		{at(stepPoint(model.StepMark), true), []string{"0.000s stepper next", "0.000s took mark refused=false"}},
		{at(stepPoint(model.StepApply), false), []string{"0.000s stepper next", "0.000s took mark refused=false"}},
		{at(stepPoint(model.StepApply), true), []string{
			"0.000s stepper next", "0.000s took mark refused=false",
			"0.000s stepper next", "0.000s took apply refused=false",
		}},
	} {
		w := stepper()
		w.config.Adversary = plan{c.point: crash}
		w.run()
		w.expect(t, append(append([]string{"0.000s stepper start"}, c.want...), "0.000s stepper crash")...)
	}
}

func TestAPauseBeforeAStepPostponesItAndIsAskedOnce(t *testing.T) {
	w := stepper()
	w.config.Adversary = plan{at(stepPoint(model.StepApply), false): {Kinds: faults.Pause, For: time.Second}}
	w.run()
	w.expect(t,
		"0.000s stepper start",
		"0.000s stepper next", "0.000s took mark refused=false",
		"1.000s stepper next", "1.000s took apply refused=false",
	)
}

func TestARestartBeginsWithWhatIsDurable(t *testing.T) {
	w := stepper()
	w.config.Adversary = plan{
		at(stepPoint(model.StepMark), true): {Kinds: faults.Crash, Restarts: true, Restart: time.Second},
	}
	w.run()
	w.expect(t,
		"0.000s stepper start",
		"0.000s stepper next", "0.000s took mark refused=false",
		"0.000s stepper crash",
		"1.000s stepper restart",
		"1.000s stepper next", "1.000s took apply refused=false",
	)
}

func TestTheStoreMayRefuseAnEffect(t *testing.T) {
	w := stepper()
	refused := applyPoint(model.StepApply)
	refused.Nth = 1
	w.config.Adversary = plan{refused: {Kinds: faults.Refuse}}
	w.run()
	w.expect(t,
		"0.000s stepper start",
		"0.000s stepper next", "0.000s took mark refused=false",
		"0.000s stepper next", "0.000s took apply refused=true",
	)
}

// A step that panicked was not done: nobody strikes after it in the next run, also where a
// message comes before all steps there.
func TestAStepThatPanickedIsNotDoneInTheNextRun(t *testing.T) {
	w := newWorld(0)
	w.config.Adversary = plan{at(stepPoint(model.StepApply), true): {Kinds: faults.Crash}}
	w.panics(t, func(fx *sim.Effects[ping]) {
		fx.Done(stepPoint(model.StepApply))
	})
	w.kernel.Reset(w.config, w.procs)
	w.kernel.Inject(0, asker, echo, ping{n: 9})
	w.kernel.Run()
	w.expect(t, "0.000s echo ping 9", "0.000s asker start", "0.000s echo start", "0.000s asker timer 0", "0.001s echo ping 1", "0.002s asker pong 1")
}

// What is done by a step that wants nothing else is done, too.
func TestACrashStandsAfterAStepThatIsDoneAndNoMore(t *testing.T) {
	w := newWorld(0)
	w.config.Adversary = plan{at(stepPoint(model.StepApply), true): {Kinds: faults.Crash}}
	w.procs[asker].(*party).step = func(_ model.Time, _ *sim.Input[ping], fx *sim.Effects[ping]) {
		fx.Done(stepPoint(model.StepApply))
	}
	w.run()
	w.expect(t, "0.000s asker start", "0.000s asker crash", "0.000s echo start")
}

// The next step that the earlier life asked for is not taken besides that of the later one.
func TestALifeThatBeginsAtOnceTakesNoStepOfTheOneBefore(t *testing.T) {
	w := stepper()
	w.config.Adversary = plan{at(stepPoint(model.StepMark), true): {Kinds: faults.Crash, Restarts: true}}
	w.run()
	w.expect(t,
		"0.000s stepper start",
		"0.000s stepper next", "0.000s took mark refused=false",
		"0.000s stepper crash", "0.000s stepper restart",
		"0.000s stepper next", "0.000s took apply refused=false",
	)
}
