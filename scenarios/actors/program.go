package actors

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// next takes the step that the worker asked for: one of its consumer's, or
// settle, or the unnamed one between a grant and the work.
func (w *Worker) next(now model.Time, in *Input, scene *Scene, store *Store, fx *Effects) {
	program := w.Consumer.Program()
	switch {
	case w.phase == working:
		w.begin(now, scene, fx)
	case w.phase == resuming:
		w.resume(now, scene, fx)
	case w.phase == crossing:
		w.cross(now, in, scene, store, fx)
	case w.settled && int(w.step) >= len(program):
		w.over(scene, fx)
	case int(w.step) >= len(program):
		w.send(scene, fx)
	default:
		w.take(program[w.step], in, scene, store, fx)
	}
}

// advance asks for the step at w.step, and settles when the program is over. A
// handler goes on first, in a step without a name: what a crash or a pause after
// its last call keeps from it has not happened.
func (w *Worker) advance(fx *Effects) {
	if w.Consumer == Handled {
		w.phase = resuming
		fx.Then(faults.Point{}, faults.Point{})
		return
	}
	w.phase = stepping
	program := w.Consumer.Program()
	if int(w.step) >= len(program) {
		w.thenSettle(fx)
		return
	}
	step := program[w.step]
	var effect faults.Point
	if step == w.Consumer.Effect() && !w.Consumer.Calls() {
		effect = faults.Point{Family: faults.Message, Op: model.OpApply, Job: w.held.job, N: w.held.n}
	}
	fx.Then(w.stepPoint(step), effect)
}

// take runs one atomic step of the consumer's program at the store.
func (w *Worker) take(step model.Step, in *Input, scene *Scene, store *Store, fx *Effects) {
	d := w.deed(step, fx)
	switch step {
	case model.StepCheck:
		if store.check(d, w.MarkerLife, fx) {
			w.thenSettle(fx)
			return
		}
	case model.StepMark:
		store.mark(d, fx)
	case model.StepApply:
		if !w.apply(d, in, scene, store, fx) {
			return
		}
	default:
		if !w.score(d, in, scene, store, fx) {
			return
		}
	}
	w.step++
	w.advance(fx)
}

func (w *Worker) deed(step model.Step, fx *Effects) deed {
	e := fx.Event()
	e.Proc, e.Op, e.Step = w.Self, model.OpApply, step
	e.Job, e.ID, e.N, e.Token = w.held.job, w.held.id, w.held.n, w.held.token
	return deed{e, w.held.ref}
}

// apply takes the step at which the consumer changes the outside ledger, and
// reports whether the program goes on at once.
func (w *Worker) apply(d deed, in *Input, scene *Scene, store *Store, fx *Effects) bool {
	if in.Refused {
		w.fail(model.ByRefusal, fx)
		return false
	}
	switch w.Consumer {
	case Atomic, TTLMarker:
		store.transact(d, w.MarkerLife, fx)
	case Natural:
		store.upsert(d, model.ByUpsert, fx)
	case Fenced:
		if !store.fenced(d, fx) {
			w.fail(model.ByFence, fx)
			return false
		}
	case External, ExternalKey:
		w.callOut(scene, fx)
		return false
	default:
		store.apply(d, fx)
	}
	return true
}

// callOut calls the outside service and waits for its answer: the step is over
// when the answer is there.
func (w *Worker) callOut(scene *Scene, fx *Effects) {
	w.phase = calling
	m, at := fx.Compose(scene.Store, sim.Beside)
	w.request(m, model.OpApply, scene)
	m.Keyed, m.Ask = w.Consumer == ExternalKey, w.visit.call.Ask
	m.address(at)
	fx.Unfinished()
	fx.After(slotCall, w.Timeout)
}

// called goes on when the outside service has answered.
func (w *Worker) called(m *Msg, fx *Effects) {
	fx.Done(w.stepPoint(model.StepApply))
	if w.Consumer == Handled {
		w.visit.wake.Answered, w.visit.wake.Refused = true, m.Answer != model.OK
		w.advance(fx)
		return
	}
	if m.Answer != model.OK {
		w.fail(model.ByRefusal, fx)
		return
	}
	w.step++
	w.advance(fx)
}

// winning is the score that closes a game.
const winning = 600

// score takes one step of the codemojex scorer and reports whether its program
// goes on. The guess row's id is minted anew on each delivery as built, and
// follows from the job in the fixed one; likewise the count.
func (w *Worker) score(d deed, in *Input, scene *Scene, store *Store, fx *Effects) bool {
	score, known := points(scene.Jobs[w.held.job].Payload)
	switch d.event.Step {
	case model.StepRead:
		d.event.Kind = model.Checked
		fx.Write(nil)
		if !known { // as built an unknown game answers ok: the job is dropped
			w.thenSettle(fx)
		}
		return known
	case model.StepInsert:
		if in.Refused {
			w.fail(model.ByRefusal, fx)
			return false
		}
		if w.Consumer == ScorerFixed {
			store.upsert(d, model.ByUpsert, fx)
		} else {
			store.apply(d, fx)
		}
		return true
	case model.StepClose:
		w.skipPay = score < winning || store.closed
	}
	if w.idleStep(d.event.Step, score) {
		return true
	}
	store.score(d, fx)
	return true
}

// idleStep reports whether a step of the scorer has nothing to do: no game to
// close, nobody to pay, or (fixed) no counter, since guess rows are counted.
func (w *Worker) idleStep(s model.Step, score int32) bool {
	switch s {
	case model.StepCount:
		return w.Consumer == ScorerFixed
	case model.StepClose:
		return score < winning
	case model.StepPay:
		return w.skipPay
	}
	return false
}
