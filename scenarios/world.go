package scenarios

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/sim"
)

// world is one run of a story while it goes on: the actors, what they see, the
// kernel that steps them, and the judge who watches. It can be used again.
type world struct {
	story  *Story
	kernel sim.Kernel[actors.Msg]
	config sim.Config // as far as it is the same in every run
	judge  *model.Judge
	ledger *model.Ledger

	scene     actors.Scene
	broker    actors.Broker
	pump      actors.Pump
	store     actors.Store
	producers []actors.Producer
	workers   []actors.Worker
	outside   openedOutside // of the story with a handler that was run last

	producing  []producerProcess
	working    []workerProcess
	procs      []sim.Process[actors.Msg]
	fails      []int               // of the judge's facts
	hands      []model.WorkerFacts // likewise
	verdicts   []model.Verdict     // of a random world
	planned    faults.Planned
	drawn      *drawn // in a random world: the adversary instead
	repaired   repairs
	history    *model.History
	maxSteps   int64      // where the run is cut
	forget     bool       // keep the digest alone
	blind      bool       // the queue does not tell what it touches
	duer       model.Duer // the queue, if it tells when its pump is needed
	owed       int        // of a blind queue: jobs that it has not ended
	wasServing bool       // a claim could be served when the broker last stepped
}

// The actors as processes of the kernel: each adapter gives its actor what it
// may see besides its own state.
type (
	brokerProcess   struct{ w *world }
	pumpProcess     struct{ w *world }
	storeProcess    struct{ w *world }
	producerProcess struct {
		w *world
		*actors.Producer
	}
	workerProcess struct {
		w *world
		*actors.Worker
	}
)

func (p brokerProcess) Step(now model.Time, in *actors.Input, fx *actors.Effects) {
	p.w.broker.Step(now, in, &p.w.scene, fx)
	p.w.afterBroker(in.Raw || in.Kind == sim.Restart, fx)
}

func (p brokerProcess) Crash(at model.Time, lost faults.Loss) { p.w.broker.Crash(at, lost) }

func (p brokerProcess) PointOf(now model.Time, in *actors.Input) (faults.Point, bool) {
	return p.w.broker.PointOf(now, in, &p.w.scene)
}

func (p pumpProcess) Step(_ model.Time, in *actors.Input, fx *actors.Effects) {
	if in.Kind == sim.Timer && !p.w.kernel.Alive(faults.Queue) {
		return // silent while the server is down, which looks again when it is back
	}
	p.w.pump.Step(in, &p.w.scene, fx)
	p.w.awaitTick(true, fx)
}

func (p pumpProcess) Crash(model.Time, faults.Loss) { p.w.pump.Crash() }

func (p storeProcess) Step(_ model.Time, in *actors.Input, fx *actors.Effects) {
	p.w.store.Step(in, fx)
}
func (p storeProcess) Crash(model.Time, faults.Loss) {}

func (p *producerProcess) Step(now model.Time, in *actors.Input, fx *actors.Effects) {
	p.Producer.Step(now, in, &p.w.scene, fx)
}

func (p *producerProcess) Crash(model.Time, faults.Loss) { p.Producer.Crash() }

func (p *workerProcess) Step(now model.Time, in *actors.Input, fx *actors.Effects) {
	p.Worker.Step(now, in, &p.w.scene, &p.w.store, fx)
	if asked, parked := p.Parked(); parked && p.w.serving() {
		p.w.wake(p.Worker, asked, fx)
	}
}

func (p *workerProcess) Crash(model.Time, faults.Loss) { p.Worker.Crash() }

// Record is the sink of the kernel: the judge sees every record, and the
// history keeps it.
func (w *world) Record(e *model.Event, touched []model.Touch) {
	if w.forget {
		w.history.Note(e)
	} else {
		e = w.history.Add(*e, touched)
	}
	if w.blind {
		w.count(e)
	}
	if w.drawn != nil {
		w.repaired.see(e)
	}
	w.judge.Observe(e, touched)
	if e.Kind == model.Restarted && e.Proc == faults.Queue {
		w.ledger.SetPaused(e.Answer == model.QueuePaused) // a forgotten pause is in no touch
	}
}

// afterBroker looks at what the queue's step has changed for those who sleep:
// the parked workers, when a claim could be served that could not before, and
// the pump, when something falls due at another time. First says that the step
// comes before the ticks of its instant.
func (w *world) afterBroker(first bool, fx *actors.Effects) {
	serving := w.serving()
	if serving && !w.wasServing {
		for i := range w.workers {
			if asked, parked := w.workers[i].Parked(); parked {
				w.wake(&w.workers[i], asked, fx)
			}
		}
	}
	w.wasServing = serving
	w.awaitTick(first, fx)
}

// wake lets a parked worker ask at its first poll instant from now on.
func (w *world) wake(worker *actors.Worker, asked model.Time, fx *actors.Effects) {
	fx.At(worker.Self, actors.SlotPoll, fx.Now().Next(asked, worker.Poll))
}

// awaitTick lets the pump sleep until the first tick at which something is due.
func (w *world) awaitTick(first bool, fx *actors.Effects) {
	fx.At(faults.Pump, actors.SlotTick, w.nextTick(fx.Now(), first))
}

// nextTick returns when the pump has to tick next. Deadlines are of the
// server's clock; the tick is of the true time.
func (w *world) nextTick(now model.Time, first bool) model.Time {
	lapse, run := w.due()
	skew := model.Time(w.kernel.Skew(faults.Queue))
	if lapse != model.Never {
		lapse -= skew
	}
	if run != model.Never {
		run -= skew
	}
	return w.pump.Await(now, lapse, run, first)
}

// serving reports whether a claim could be served: whether it has to be asked,
// of a queue that does not tell what it touches and still owes an end to a job.
func (w *world) serving() bool {
	if w.blind {
		return w.owed > 0
	}
	return w.ledger.Servable()
}

// count follows, by its answers alone, for how many jobs the queue owes an end.
func (w *world) count(e *model.Event) {
	switch {
	case e.Kind != model.Applied:
	case e.Op.Admits() && (e.Answer == model.Enqueued || e.Answer == model.Scheduled):
		w.owed++
	case e.Op == model.OpComplete && e.Answer.Accepted(), e.Op == model.OpRetry && e.Answer == model.DeadLettered:
		w.owed--
	}
}

// due returns when the pump could first find something to do, by the server's
// clock: as the queue says, or else by what was seen of its sets.
func (w *world) due() (lapse, run model.Time) {
	switch {
	case w.duer != nil:
		return w.duer.NextDue()
	case !w.blind:
		return w.ledger.NextDue()
	case w.owed > 0:
		return 0, 0 // something may be due at any tick
	}
	return model.Never, model.Never
}

// clockSet lets the pump look again after the server's clock has stepped.
func (w *world) clockSet(p model.Proc) {
	if p == faults.Queue {
		w.kernel.Arm(faults.Pump, actors.SlotTick, w.nextTick(w.kernel.Now(), true))
	}
}
