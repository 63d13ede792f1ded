package actors

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// Outside is the world that the handlers of one run can reach: what they share
// and what survives them. Package scenarios/simtest makes it of a user's code;
// the actors see values only, and one side runs at a time.
type Outside interface {
	// Reset makes it new for a run, and drops what the last one left under way.
	Reset()
	// Begin starts the handler of a delivery. Nothing of it runs before Go.
	Begin(Delivery) Course
	// Serve lets the outside service do what call number ask wants of it.
	Serve(ask int32, now model.Time) Deed
}

// Delivery is what a handler is told about the job.
type Delivery struct {
	Worker  model.Proc
	Job     model.Job
	ID      model.ID
	Token   model.Token
	Payload string
}

// Course is one delivery's handler under way. It stands still between Go and Go.
type Course interface {
	// Go runs the handler until it reaches for the outside or returns.
	Go(Wake) Call
	// Do does what it reached for: one atomic step. Refused says that an effect
	// is to be refused.
	Do(now model.Time, refused bool) Deed
	// Drop ends it where it stands: its process has crashed.
	Drop()
}

// Wake is what a handler learns when it goes on.
type Wake struct {
	Now      model.Time // by its own clock
	At       model.Time // the true instant
	Lost     bool       // the worker knows that the lease is over
	Answered bool       // the outside service answered in time
	Refused  bool       // and could not do it
}

// Call is what a handler reached for. The zero Call is its return without an
// error.
type Call struct {
	Step    model.Step    // NoStep: it has returned
	Failed  bool          // it has returned an error
	Effect  bool          // the step may change the outside ledger, and be refused
	Ask     int32         // above 0: a request to the outside service
	Span    time.Duration // StepSleep: how long; with Ask: how long it waits, 0 as long as its worker
	Patient bool          // it does not hear that the lease is over while it waits
}

// Deed is what one step of a handler came to.
type Deed struct {
	Kind    model.Kind // Checked, Marked, Absorbed; of no meaning where Effects > 0
	Found   bool
	Cause   model.Cause // Absorbed
	Effects int32       // how often the outside ledger changed under the job
}

// visit is what a worker keeps of its handler.
type visit struct {
	outside Outside
	course  Course
	call    Call
	wake    Wake       // for the next Go
	ends    model.Time // local time at which the lease ends, as far as the worker knows
	beatAt  model.Time // local time at which it last asked for more
	until   model.Time // local time at which a sleep or a wait is over
}

// SetOutside gives w the world that its handler reaches.
func (w *Worker) SetOutside(o Outside) { w.visit.outside = o }

// begins notes how long the lease lasts; the handler begins when the work is done.
func (v *visit) begins(now model.Time, lease time.Duration) {
	v.drop()
	v.wake, v.ends = Wake{}, now.Add(lease)
}

// drop ends the handler that is under way, if one is.
func (v *visit) drop() {
	if v.course != nil {
		v.course.Drop()
		v.course = nil
	}
}

// resume lets the handler run up to its next call, which becomes the next step;
// when it has returned the delivery is settled.
func (w *Worker) resume(now model.Time, scene *Scene, fx *Effects) {
	v := &w.visit
	if v.course == nil {
		v.course = v.outside.Begin(Delivery{
			Worker: w.Self, Job: w.held.job, ID: w.held.id, Token: w.held.token,
			Payload: scene.Jobs[w.held.job].Payload,
		})
	}
	v.wake.Now, v.wake.At, v.wake.Lost = now, fx.Now(), v.wake.Lost || now >= v.ends
	v.call = v.course.Go(v.wake)
	v.wake.Answered, v.wake.Refused = false, false
	if v.call.Step == model.NoStep {
		w.returned(fx)
		return
	}
	w.phase = crossing
	var effect faults.Point
	if v.call.Effect {
		effect = faults.Point{Family: faults.Message, Op: model.OpApply, Job: w.held.job, N: w.held.n}
	}
	fx.Then(w.stepPoint(v.call.Step), effect)
}

// returned settles as the handler's return says.
func (w *Worker) returned(fx *Effects) {
	w.visit.course = nil
	if w.visit.call.Failed {
		w.fail(model.ByError, fx)
		return
	}
	w.thenSettle(fx)
}

// cross takes the step that the handler reached for.
func (w *Worker) cross(now model.Time, in *Input, scene *Scene, store *Store, fx *Effects) {
	v := &w.visit
	switch {
	case v.call.Ask > 0:
		w.callOut(scene, fx)
		w.rest(now, v.waits(w.Timeout), slotCall, fx)
	case v.call.Step == model.StepSleep:
		w.phase = sleeping
		fx.Unfinished()
		w.rest(now, v.call.Span, slotWork, fx)
	default:
		store.take(w.deed(v.call.Step, fx), v.course.Do(fx.Now(), in.Refused), fx)
		w.advance(fx)
	}
}

func (v *visit) waits(most time.Duration) time.Duration {
	if v.call.Span > 0 {
		return min(v.call.Span, most)
	}
	return most
}

// rest lets the timer of a sleep or a wait run out after d, or when the lease
// ends, if the handler hears of that.
func (w *Worker) rest(now model.Time, d time.Duration, slot uint8, fx *Effects) {
	v := &w.visit
	v.until = now.Add(d)
	first := v.until
	if !v.call.Patient && v.ends > now {
		first = min(first, v.ends)
	}
	fx.After(slot, first.Sub(now))
}

// rested goes on when a sleep or a wait is over, or was cut short; not when the
// lease was extended meanwhile.
func (w *Worker) rested(now model.Time, slot uint8, fx *Effects) {
	v := &w.visit
	if left := v.until.Sub(now); left > 0 && !v.wake.Lost && now < v.ends {
		w.rest(now, left, slot, fx)
		return
	}
	if w.phase == sleeping {
		fx.Done(w.stepPoint(model.StepSleep))
	} else {
		w.gaveUp(fx)
	}
	w.advance(fx)
}

// heard takes note of the answer to a heartbeat. One that was refused wakes the
// handler that waits, unless it does not want to know.
func (w *Worker) heard(now model.Time, m *Msg, fx *Effects) {
	v := &w.visit
	if m.N != w.held.n || m.Job != w.held.job || m.Op != model.OpExtend {
		return
	}
	if m.Answer == model.OK {
		v.ends = v.beatAt.Add(m.Span)
		return
	}
	v.wake.Lost = true
	switch {
	case v.call.Patient || v.course == nil:
	case w.phase == sleeping:
		fx.Disarm(slotWork)
		w.rested(now, slotWork, fx)
	case w.phase == calling:
		fx.Disarm(slotCall)
		w.rested(now, slotCall, fx)
	}
}
