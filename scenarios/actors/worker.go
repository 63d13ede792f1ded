package actors

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// The timers of a worker.
const (
	slotCall uint8 = iota // the outstanding call is not answered in time
	slotWork              // the work is done
	SlotPoll              // a parked worker asks again; the world arms it
	SlotBeat              // the next heartbeat is due
)

// phase is what a worker is about.
type phase uint8

const (
	idle     phase = iota
	asking         // reading the pause flag
	claiming       // waiting for a grant
	parked         // told that there is nothing; the world wakes it
	working        // between the grant and the first step
	stepping       // between two atomic steps
	calling        // waiting for the outside service
	settling       // waiting for the answer to its settlement
	resuming       // its handler goes on in the next step
	crossing       // its handler reached for the outside, which is the next step
	sleeping       // its handler sleeps
)

// Worker claims, works, settles: one job at a time. As built it reads the
// queue's pause flag in a request of its own before each claim, and discards
// the answer to a settlement. Nothing of it survives a crash.
type Worker struct {
	Self          model.Proc
	Consumer      Consumer
	MarkerLife    time.Duration // ttl-marker
	AckEarly      bool          // settle before the work
	Work          time.Duration
	WorkIsMean    bool          // a delivery's is drawn from the exponential distribution
	Heartbeat     time.Duration // 0: off
	Poll          time.Duration
	Timeout       time.Duration
	SettleRetries int32

	phase   phase
	settled bool     // early ack: the settlement is behind it
	step    int8     // into the consumer's program
	skipPay bool     // scorer: somebody closed the game before
	verb    model.Op // how the delivery is to be settled
	failure model.Cause
	sends   int32      // of the settlement
	beats   int32      // of the heartbeat
	call    int32      // the outstanding one
	askedAt model.Time // true time of its last request for a job
	held    holding
	visit   visit // Handled
}

// holding is what a worker believes to hold.
type holding struct {
	job   model.Job
	n     int32
	ref   Ref
	token model.Token
	id    model.ID
	since model.Time // local time of the grant's receipt
}

// Parked returns whether w waits to be woken, and when it asked last.
func (w *Worker) Parked() (model.Time, bool) { return w.askedAt, w.phase == parked }

// Step is the worker's whole life: it asks, works, steps and settles.
func (w *Worker) Step(now model.Time, in *Input, scene *Scene, store *Store, fx *Effects) {
	switch in.Kind {
	case sim.Start:
		w.ask(scene, fx)
	case sim.Restart:
		fx.Record(model.Event{Kind: model.Restarted}, nil)
		w.ask(scene, fx)
	case sim.Timer:
		w.timer(now, in, scene, fx)
	case sim.Arrival:
		w.arrival(now, in, scene, fx)
	case sim.Next:
		w.next(now, in, scene, store, fx)
	}
}

// Crash forgets everything: nothing of a worker is durable.
func (w *Worker) Crash() {
	w.visit.drop()
	w.phase, w.held, w.settled = idle, holding{}, false
}

// ask begins a claim: as built the pause flag is read first.
func (w *Worker) ask(scene *Scene, fx *Effects) {
	w.phase, w.askedAt, w.held = asking, fx.Now(), holding{}
	m, at := fx.Compose(scene.Queue, sim.Link)
	w.request(m, model.OpReadPause, scene)
	m.address(at)
	fx.After(slotCall, w.Timeout)
}

func (w *Worker) claim(scene *Scene, fx *Effects) {
	w.phase = claiming
	m, at := fx.Compose(scene.Queue, sim.Late)
	w.request(m, model.OpClaim, scene)
	m.Span = scene.Lease
	m.address(at)
	m.tellSent(fx)
	fx.After(slotCall, w.Timeout)
}

// request writes the next request about what w holds into m, and waits for its
// answer.
func (w *Worker) request(m *Msg, op model.Op, scene *Scene) {
	w.message(m, op, scene)
	w.call = m.Call
}

// message writes a request about what w holds into m, whose answer it does not wait
// for.
func (w *Worker) message(m *Msg, op model.Op, scene *Scene) {
	*m = Msg{}
	m.Op, m.Speaker, m.Job, m.Ref, m.ID, m.N = op, w.Self, w.held.job, w.held.ref, w.held.id, w.held.n
	m.Token, m.Call, m.Nth = w.held.token, scene.NextCall(), 1
}

func (w *Worker) arrival(now model.Time, in *Input, scene *Scene, fx *Effects) {
	m := &in.Msg
	if m.Call != w.call {
		w.unasked(m, fx)
		if w.Consumer == Handled {
			w.heard(now, m, fx)
		}
		return
	}
	w.call = 0
	fx.Disarm(slotCall)
	if m.Op != model.OpReadPause && m.Op != model.OpApply {
		m.answered(fx)
		fx.Write(nil)
	}
	switch w.phase {
	case asking:
		if m.Answer == model.QueuePaused {
			w.phase = parked
		} else {
			w.claim(scene, fx)
		}
	case claiming:
		w.granted(now, m, scene, fx)
	case calling:
		w.called(m, fx)
	case settling:
		w.afterSettle(scene, fx)
	}
}

// unasked takes note of an answer that nobody waits for: a heartbeat's, which
// as built stops nothing, or one that came after its timeout and is void.
func (w *Worker) unasked(m *Msg, fx *Effects) {
	if m.Op == model.OpReadPause || m.Op == model.OpApply {
		return
	}
	e := m.answered(fx)
	if m.Op != model.OpExtend {
		e.Flags |= model.IsLate
	}
	fx.Write(nil)
}

// granted takes the job that a claim was answered with, if there is one.
func (w *Worker) granted(now model.Time, m *Msg, scene *Scene, fx *Effects) {
	if m.Answer != model.OK {
		w.phase = parked
		return
	}
	w.held = holding{job: m.Job, n: m.N, ref: m.Ref, token: m.Token, id: m.ID, since: now}
	w.phase, w.settled, w.step, w.skipPay = working, false, 0, false
	w.verb, w.failure, w.sends, w.beats = model.OpComplete, model.NoCause, 0, 0
	if w.Consumer == Handled {
		w.visit.begins(now, scene.Lease)
	}
	fx.Done(w.stepPoint(model.StepClaim))
	fx.Then(faults.Point{}, faults.Point{})
}

func (w *Worker) timer(now model.Time, in *Input, scene *Scene, fx *Effects) {
	switch in.Slot {
	case slotCall:
		if w.phase == calling && w.Consumer == Handled {
			w.rested(now, slotCall, fx)
			return
		}
		w.timeOut(scene, fx)
	case slotWork:
		if w.phase == sleeping {
			w.rested(now, slotWork, fx)
			return
		}
		w.worked(scene, fx)
	case SlotPoll:
		if w.phase == parked {
			w.ask(scene, fx)
		}
	case SlotBeat:
		w.beat(now, in, scene, fx)
	}
}

// timeOut gives up waiting for an answer. A failed read of the pause flag
// counts as not paused, as built.
func (w *Worker) timeOut(scene *Scene, fx *Effects) {
	was := w.phase
	if was != asking {
		w.gaveUp(fx)
	}
	w.call = 0
	switch was {
	case asking:
		w.claim(scene, fx)
	case claiming:
		w.ask(scene, fx)
	case calling:
		w.fail(model.BySilence, fx)
	case settling:
		if w.sends <= w.SettleRetries {
			w.send(scene, fx)
			return
		}
		w.over(scene, fx)
	}
}

// gaveUp records that the answer that w waits for did not come in time.
func (w *Worker) gaveUp(fx *Effects) {
	e := model.Event{Kind: model.TimedOut, Op: w.verb, Job: w.held.job, ID: w.held.id, N: w.held.n, Nth: w.sends, Call: w.call}
	switch w.phase {
	case claiming:
		e.Op, e.Nth = model.OpClaim, 1
	case calling:
		e.Op, e.Nth = model.OpApply, 1
	}
	w.call = 0
	fx.Record(e, nil)
}

// begin starts what follows the grant: the heartbeat, and the work, or with
// early ack the settlement.
func (w *Worker) begin(now model.Time, scene *Scene, fx *Effects) {
	w.armBeat(now, fx)
	if w.AckEarly && !w.settled {
		w.thenSettle(fx)
		return
	}
	w.phase = working
	if d := w.workOf(scene); d > 0 {
		fx.After(slotWork, d)
		return
	}
	w.worked(scene, fx)
}

// workOf is how long the work takes of the delivery that it holds: which worker
// does it makes no difference.
func (w *Worker) workOf(scene *Scene) time.Duration {
	if !w.WorkIsMean {
		return w.Work
	}
	return model.Exponential(scene.Work.Hash(uint64(w.held.job), uint64(w.held.n)), w.Work)
}

// worked goes on to the consumer's steps, or to a failure where the job says so.
func (w *Worker) worked(scene *Scene, fx *Effects) {
	if w.held.n <= scene.Jobs[w.held.job].Fails {
		w.fail(model.ByHandler, fx)
		return
	}
	w.advance(fx)
}

// fail lets the handler return an error: the delivery is retried, unless it was
// settled before the work.
func (w *Worker) fail(why model.Cause, fx *Effects) {
	e := model.Event{Kind: model.Failed, Cause: why, Job: w.held.job, ID: w.held.id, N: w.held.n, Token: w.held.token}
	fx.Record(e, nil)
	w.verb, w.failure = model.OpRetry, why
	w.thenSettle(fx)
}

// thenSettle makes the settlement the next step; after an early one there is
// nothing left to do but to ask for the next job.
func (w *Worker) thenSettle(fx *Effects) {
	w.phase = stepping
	w.step = int8(len(w.Consumer.Program()))
	if w.settled {
		fx.Then(faults.Point{}, faults.Point{})
		return
	}
	fx.Then(w.stepPoint(model.StepSettle), faults.Point{})
}

// send sends the settlement, the first time or once more.
func (w *Worker) send(scene *Scene, fx *Effects) {
	w.phase = settling
	w.sends++
	m, at := fx.Compose(scene.Queue, sim.Link)
	w.request(m, w.verb, scene)
	m.Nth = w.sends
	if w.verb == model.OpRetry {
		m.Span, m.Max, m.Cause = scene.RetryDelay, scene.MaxAttempts, w.failure
	}
	m.address(at)
	m.tellSent(fx)
	fx.After(slotCall, w.Timeout)
}

// afterSettle discards the answer, as built: ok, stale and gone look the same.
func (w *Worker) afterSettle(scene *Scene, fx *Effects) {
	if w.AckEarly && !w.settled {
		w.settled, w.phase, w.step = true, working, 0
		fx.Disarm(SlotBeat)
		fx.Then(faults.Point{}, faults.Point{})
		return
	}
	w.over(scene, fx)
}

// over is done with the delivery, one way or the other, and asks for the next.
func (w *Worker) over(scene *Scene, fx *Effects) {
	fx.Disarm(SlotBeat)
	w.ask(scene, fx)
}

func (w *Worker) stepPoint(s model.Step) faults.Point {
	return faults.Point{Family: faults.Step, Proc: w.Self, Step: s, Job: w.held.job, N: w.held.n}
}

// armBeat lets the next heartbeat come at the next multiple of the period after
// the grant: beats missed while the worker stood still are skipped, the phase
// stays.
func (w *Worker) armBeat(now model.Time, fx *Effects) {
	if w.Heartbeat <= 0 || w.settled {
		return
	}
	due := (now + 1).Next(w.held.since, w.Heartbeat)
	fx.After(SlotBeat, due.Sub(now))
}

// beat extends the lease, unless the heartbeat stands still.
func (w *Worker) beat(now model.Time, in *Input, scene *Scene, fx *Effects) {
	w.armBeat(now, fx)
	if in.Stalled {
		return
	}
	w.beats++
	w.visit.beatAt = now
	m, at := fx.Compose(scene.Queue, sim.Link)
	w.message(m, model.OpExtend, scene)
	m.Span, m.Nth = scene.Lease, w.beats
	m.address(at)
	m.tellSent(fx)
}
