package sim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// The tests run a world of two: an asker that sends pings and an echo that
// answers them. Neither knows of queues, nor does the kernel.

const (
	asker model.Proc = 1
	echo  model.Proc = 2
)

type ping struct {
	n     int32
	reply bool
}

func (p ping) Label() model.Event {
	e := model.Event{Op: model.OpApply, Proc: asker, Call: p.n}
	if p.reply {
		e.Flags = model.IsReply
	}
	return e
}

func (p ping) point() faults.Point {
	return faults.Point{Family: faults.Message, Op: model.OpApply, Reply: p.reply, Job: model.Job(p.n)}
}

// party is a process made of one function and a diary of what happened to it.
type party struct {
	step  func(now model.Time, in *sim.Input[ping], fx *sim.Effects[ping])
	world *world
	name  string
}

func (p *party) Step(now model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
	p.world.note("%s %s %s", fx.Now(), p.name, describe(in))
	if in.Kind == sim.Restart {
		fx.Record(model.Event{Kind: model.Restarted}, nil)
	}
	p.step(now, in, fx)
}

func (p *party) Crash(at model.Time, lost faults.Loss) {
	p.world.note("%s %s crash", at, p.name)
}

func describe(in *sim.Input[ping]) string {
	switch in.Kind {
	case sim.Arrival:
		what := fmt.Sprintf("ping %d", in.Msg.n)
		if in.Msg.reply {
			what = fmt.Sprintf("pong %d", in.Msg.n)
		}
		if in.Copy {
			what += " copy"
		}
		return what
	case sim.Timer:
		return fmt.Sprintf("timer %d", in.Slot)
	}
	return [...]string{sim.Start: "start", sim.Restart: "restart", sim.Next: "next"}[in.Kind]
}

// plan is an adversary as a table.
type plan map[faults.Point]faults.Outcome

func (p plan) Decide(at faults.Point) faults.Outcome { return p[at] }

// world is one run of the two parties.
type world struct {
	config  sim.Config
	diary   []string
	history model.History
	kernel  sim.Kernel[ping]
	procs   []sim.Process[ping]
}

func (w *world) note(format string, args ...any) {
	w.diary = append(w.diary, fmt.Sprintf(format, args...))
}

func (w *world) Record(e *model.Event, touched []model.Touch) { w.history.Add(*e, touched) }

// newWorld lets the asker send pings at the times given, and the echo answer
// each with a pong.
func newWorld(at ...time.Duration) *world {
	w := &world{config: sim.Config{
		Network: sim.Network{Latency: time.Millisecond},
		Horizon: model.Time(time.Hour),
		Server:  echo,
	}}
	w.config.Sink = w
	sent := int32(0)
	ask := func(now model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		switch in.Kind {
		case sim.Start, sim.Restart:
			fx.After(0, at[sent])
		case sim.Timer:
			sent++
			m := ping{n: sent}
			fx.Send(echo, m, m.point())
			if int(sent) < len(at) {
				fx.After(0, at[sent]-at[sent-1])
			}
		}
	}
	answer := func(now model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
		if in.Kind == sim.Arrival {
			m := ping{n: in.Msg.n, reply: true}
			fx.Reply(in, m, m.point(), false)
		}
	}
	w.procs = []sim.Process[ping]{nil, &party{ask, w, "asker"}, &party{answer, w, "echo"}}
	return w
}

func (w *world) run() model.Cause {
	w.kernel.Reset(w.config, w.procs)
	return w.kernel.Run()
}

// panics runs w while each step of the asker wants what this one does, and panics. Then
// the asker is as before, and the diary empty.
func (w *world) panics(t *testing.T, wants func(fx *sim.Effects[ping])) {
	t.Helper()
	p := w.procs[asker].(*party)
	step := p.step
	p.step = func(_ model.Time, _ *sim.Input[ping], fx *sim.Effects[ping]) {
		wants(fx)
		panic("out of ink")
	}
	defer func() {
		if got := recover(); got != "out of ink" {
			t.Fatalf("recovered %v", got)
		}
		p.step, w.diary = step, nil
	}()
	w.run()
}

// expect compares the diary with the lines wanted.
func (w *world) expect(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(w.diary, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the diary reads\n%s\nand should read\n%s", got, strings.Join(want, "\n"))
	}
}

// records returns the history without its last record, as words.
func (w *world) records() string {
	var b strings.Builder
	for _, e := range w.history.Events[:len(w.history.Events)-1] {
		fmt.Fprintf(&b, "%s %s %s call=%d reply=%t\n", e.At, e.Kind, e.Cause, e.Call, e.Has(model.IsReply))
	}
	return b.String()
}

func message(n int32, reply bool) faults.Point {
	p := ping{n, reply}.point()
	p.Nth = 1
	return p
}

func slot(kind faults.SlotKind, p model.Proc) faults.Point {
	return faults.Point{Family: faults.Slot, Slot: kind, Proc: p, Nth: 1}
}

func TestAPingIsAnsweredAndThenItIsQuiet(t *testing.T) {
	w := newWorld(0)
	if end := w.run(); end != model.Quiet {
		t.Errorf("the run ended by %v", end)
	}
	w.expect(t,
		"0.000s asker start",
		"0.000s echo start",
		"0.000s asker timer 0",
		"0.001s echo ping 1",
		"0.002s asker pong 1",
	)
}

func TestTheHorizonCutsWhatIsStillToCome(t *testing.T) {
	w := newWorld(0, 2*time.Hour)
	if end := w.run(); end != model.Horizon {
		t.Errorf("the run ended by %v", end)
	}
	if last := w.history.Events[len(w.history.Events)-1]; last.At != model.Time(time.Hour) {
		t.Errorf("the end is recorded at %s", last.At)
	}
}

func TestADroppedRequestAndADroppedReplyAreRecordedWhereTheyAreDecided(t *testing.T) {
	w := newWorld(0, time.Second)
	w.config.Adversary = plan{
		message(1, false): {Kinds: faults.Drop},
		message(2, true):  {Kinds: faults.Drop},
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start",
		"0.000s asker timer 0",
		"1.000s asker timer 0",
		"1.001s echo ping 2",
	)
	if got, want := w.records(), "0.000s lost fault call=1 reply=false\n1.001s lost fault call=2 reply=true\n"; got != want {
		t.Errorf("records\n%swant\n%s", got, want)
	}
}

func TestADelayedRequestIsOvertakenAndADoubledOneArrivesTwice(t *testing.T) {
	w := newWorld(0, time.Second)
	w.config.Adversary = plan{
		message(1, false): {Kinds: faults.Delay, By: 3 * time.Second},
		message(2, false): {Kinds: faults.Duplicate, After: 50 * time.Millisecond},
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start",
		"0.000s asker timer 0",
		"1.000s asker timer 0",
		"1.001s echo ping 2", "1.002s asker pong 2",
		"1.051s echo ping 2 copy", "1.052s asker pong 2",
		"3.001s echo ping 1", "3.002s asker pong 1",
	)
}

func TestACutLosesWhatIsSentOrWouldArriveInIt(t *testing.T) {
	w := newWorld(0, time.Second, 2*time.Second, 3*time.Second)
	p := slot(faults.SlotPartition, asker)
	p.Peer = echo
	var told []faults.Point
	w.config.Fired = func(p faults.Point) { told = append(told, p) }
	// From 1.0005s to 3.0005s: ping 2 is under way, ping 3 is sent in it, ping 4
	// is sent in it and would arrive after it.
	w.config.Adversary = plan{p: {Kinds: faults.Partition, At: 1000500000, For: 2 * time.Second}}
	w.run()
	const want = "1.0005s cut none call=0 reply=false\n1.001s lost partition call=2 reply=false\n" +
		"2.000s lost partition call=3 reply=false\n3.000s lost partition call=4 reply=false\n3.0005s healed none call=0 reply=false\n"
	if got := w.records(); got != want {
		t.Errorf("records\n%swant\n%s", got, want)
	}
	if len(told) != 1 || told[0] != p {
		t.Errorf("the window was reported as fired %v", told)
	}
}

func TestAOnewayCutLetsTheOtherWayPass(t *testing.T) {
	w := newWorld(time.Second)
	p := slot(faults.SlotPartition, echo)
	p.Peer = asker
	w.config.Adversary = plan{p: {Kinds: faults.Partition, For: time.Minute, Oneway: true}}
	w.run()
	w.expect(t, "0.000s asker start", "0.000s echo start", "1.000s asker timer 0", "1.001s echo ping 1")
}

func TestWhatArrivesAtTheDeadOrAtALaterLifeIsLost(t *testing.T) {
	w := newWorld(0, time.Second)
	w.config.Adversary = plan{
		slot(faults.SlotCrash, asker): {Kinds: faults.Crash, At: 1500000, Restarts: true, Restart: 2 * time.Second},
		message(1, true):              {Kinds: faults.Delay, By: 10 * time.Second},
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start",
		"0.000s asker timer 0", "0.001s echo ping 1",
		"0.0015s asker crash",
		"2.0015s asker restart",
		"3.0015s asker timer 0", "3.0025s echo ping 2", "3.0035s asker pong 2",
	)
	if !strings.Contains(w.records(), "10.002s lost death call=1 reply=true") {
		t.Errorf("the answer to the earlier life is not lost:\n%s", w.records())
	}
}

func TestAPausedProcessTakesMessagesBeforeTheTimersThatRanOut(t *testing.T) {
	w := newWorld(0, time.Second)
	w.config.Adversary = plan{
		slot(faults.SlotPause, asker): {Kinds: faults.Pause, At: 1500000, For: 5 * time.Second},
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start",
		"0.000s asker timer 0", "0.001s echo ping 1",
		"5.0015s asker pong 1",
		"5.0015s asker timer 0", "5.0025s echo ping 2", "5.0035s asker pong 2",
	)
}

func TestAPauseThatHoldsNothingUpHasNotFired(t *testing.T) {
	for _, c := range []struct {
		at    model.Time
		fires bool
	}{{model.Time(10 * time.Second), false}, {500000, true}} {
		w := newWorld(0)
		fired := false
		w.config.Fired = func(faults.Point) { fired = true }
		w.config.Adversary = plan{slot(faults.SlotPause, asker): {Kinds: faults.Pause, At: c.at, For: time.Second}}
		w.run()
		if fired != c.fires {
			t.Errorf("a pause at %s fired: %t", c.at, fired)
		}
	}
}

func TestAClockIsSeenByItsProcessAlone(t *testing.T) {
	w := newWorld(time.Second)
	saw := map[string]model.Time{}
	for _, p := range w.procs[1:] {
		p := p.(*party)
		step := p.step
		p.step = func(now model.Time, in *sim.Input[ping], fx *sim.Effects[ping]) {
			saw[p.name] = now - fx.Now()
			step(now, in, fx)
		}
	}
	w.config.Adversary = plan{
		slot(faults.SlotClock, echo): {Kinds: faults.Clock, By: -5 * time.Second, At: model.Time(time.Second)},
	}
	w.run()
	if saw["asker"] != 0 || saw["echo"] != model.Time(-5*time.Second) {
		t.Errorf("skews seen: %v", saw)
	}
}

func TestAtOneInstantFaultsComeFirstThenWhatIsInjectedThenTheRest(t *testing.T) {
	w := newWorld(time.Second)
	w.config.Adversary = plan{
		slot(faults.SlotClock, echo): {Kinds: faults.Clock, By: time.Second, At: model.Time(time.Second)},
	}
	w.kernel.Reset(w.config, w.procs)
	w.kernel.Inject(model.Time(time.Second), asker, echo, ping{n: 8})
	w.kernel.Inject(model.Time(time.Second), asker, echo, ping{n: 9})
	w.kernel.Run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start",
		"1.000s echo ping 8", "1.000s echo ping 9",
		"1.000s asker timer 0", "1.001s echo ping 1", "1.002s asker pong 1",
	)
}

func TestNobodyIsAskedAboutWhatAnswersACopy(t *testing.T) {
	w := newWorld(0)
	w.config.Adversary = plan{
		message(1, false): {Kinds: faults.Duplicate, After: time.Second},
		message(1, true):  {Kinds: faults.Drop}, // the answer to the first request, not to its copy
	}
	w.run()
	w.expect(t,
		"0.000s asker start", "0.000s echo start", "0.000s asker timer 0",
		"0.001s echo ping 1",
		"1.001s echo ping 1 copy", "1.002s asker pong 1",
	)
}

func TestALimitOfStepsCutsARunThatWouldGoOn(t *testing.T) {
	w := newWorld(0, time.Second)
	w.config.MaxSteps = 4
	if end := w.run(); end != model.Limit {
		t.Errorf("the run ended by %v", end)
	}
	w.expect(t, "0.000s asker start", "0.000s echo start", "0.000s asker timer 0", "0.001s echo ping 1")
}
