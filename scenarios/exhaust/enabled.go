package exhaust

import (
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// offers gathers the actions that are enabled in one state.
type offers struct {
	w    *World
	s    *State
	q    *queueState
	list []explore.Action
}

// Actions appends what may happen in s.
func (w *World) Actions(s *State, list []explore.Action) []explore.Action {
	o := offers{w, s, w.queue(s), list}
	if k, ok := w.hasty(s); ok {
		o.haste(k)
		return o.list
	}
	if w.scope.PartialOrder {
		if k, ok := w.alone(s, o.q); ok {
			o.worker(k)
			o.strikes(k)
			return o.list
		}
	}
	for j := range w.jobs {
		o.enqueues(uint8(j))
	}
	for k := range w.workers {
		o.worker(uint8(k))
	}
	o.pumps()
	o.lapses()
	o.letters()
	o.markers()
	for k := range w.workers {
		o.strikes(uint8(k))
	}
	o.mishaps()
	o.acts()
	return o.list
}

func (o *offers) add(d deed) { o.list = append(o.list, d.code()) }

// fates adds d as it should be, and with each of the fates that the scope has.
func (o *offers) fates(d deed, fates ...how) {
	o.add(d)
	for _, h := range fates {
		if o.w.scope.has(hows[h]) && (h != late && h != doubled || o.s.mailed < maxMail) {
			d.how = h
			o.add(d)
		}
	}
}

// enqueues adds what the producer of j may do: it sends its jobs in their order,
// and each again while no answer came.
func (o *offers) enqueues(j uint8) {
	spec, job := &o.w.jobs[j], &o.s.jobs[j]
	if job.has(isSent) || spec.after >= 0 && o.s.jobs[spec.after].sends == 0 {
		return
	}
	o.places(deed{what: doEnqueue, job: j, op: o.w.enqueueOp(j)}, o.q, dropped, answerDropped, late, doubled)
}

// places adds d once for each place that its new deadline or run-at may have.
func (o *offers) places(d deed, q *queueState, fates ...how) {
	first, last := o.w.span(d.op, o.s, q)
	for p := first; p <= last; p++ {
		d.place = p
		o.fates(d, fates...)
	}
}

// span returns the places that a deadline or run-at made by op may have. Those of
// one class are made in the order of time, so that the newest is the last; none is
// made that is over already.
func (w *World) span(op model.Op, s *State, q *queueState) (first, last uint8) {
	switch op {
	case model.OpClaim, model.OpExtend:
		last = uint8(len(q.active))
		if w.anyPlace {
			return s.due, last
		}
	case model.OpRetry, model.OpDelay, model.OpEnqueueIn:
		last = uint8(len(q.schedule))
		if w.anyRunAt {
			return 0, last
		}
	}
	return last, last
}

// worker adds what worker k may do next.
func (o *offers) worker(k uint8) {
	worker := &o.s.workers[k]
	switch {
	case worker.has(isAnew): // its grant is on its way for as long as they are
	case worker.has(isPaused):
		o.add(deed{what: doWake, who: k})
	case worker.phase == down:
		o.add(deed{what: doRestart, who: k})
	case worker.phase == idle:
		o.claims(k)
	case worker.phase == waiting || worker.phase == calling:
		o.add(deed{what: doGiveUp, who: k})
		o.beats(k)
	case worker.phase == stepping:
		o.steps(k)
		o.beats(k)
	case worker.phase == settling:
		o.settles(k, deed{what: doSettle, who: k, job: worker.job, op: worker.verb})
		o.beats(k)
	}
}

// settles adds the settlement of worker k. Its heartbeat may come right behind, sent
// while the settlement was on its way: no fault is needed for that.
func (o *offers) settles(k uint8, d deed) {
	worker := &o.s.workers[k]
	fates := []how{dropped, late, doubled}
	if o.w.minds(k, worker) {
		fates = append(fates, answerDropped)
	}
	o.places(d, o.q, fates...)
	if o.w.beatsBehind(k, worker) || worker.has(isOverdue) {
		for _, d.n = range [...]uint8{beatBehind, beatsUnderWay} {
			o.places(d, o.q, doubled)
		}
	}
}

// beatsBehind reports whether a heartbeat of worker k can be sent between its settlement
// and the answer. An early settlement follows the grant at once, so that its heart has to
// beat within the way there and back.
func (w *World) beatsBehind(k uint8, worker *worker) bool {
	return w.mayBeat(k, worker) || w.workers[k].beatsInTrip && !worker.has(isSettled)
}

// mayBeat reports whether a heartbeat of worker k can come where time passes for it: not
// between the grant and the early settlement, which follows at once.
func (w *World) mayBeat(k uint8, worker *worker) bool {
	return w.workers[k].beats && !worker.has(isSettled) && (!w.isEarly(k, worker) || worker.sends > 0 || worker.isAnswered())
}

// minds reports whether the answer to its settlement makes a difference to worker
// k: as built it goes on as if it had come, unless it sends again, has yet to begin, or
// keeps its heart beating while it waits.
func (w *World) minds(k uint8, worker *worker) bool {
	spec := &w.workers[k]
	return spec.retries > 0 || w.isEarly(k, worker) || spec.beats
}

// steps adds the next step of the program of worker k.
func (o *offers) steps(k uint8) {
	worker, spec := &o.s.workers[k], &o.w.workers[k]
	d := deed{what: doStep, who: k, job: worker.job}
	isEffect, isCall := spec.program[worker.step] == spec.consumer.Effect(), spec.consumer.Calls()
	switch {
	case isEffect && isCall:
		o.fates(d, dropped, answerDropped, late, doubled, refused)
	case isEffect:
		o.fates(d, refused)
	default:
		o.add(d)
	}
}

// claims adds a claim of worker k, if there is anything to be had within the scope.
// A claim whose request is lost changes nothing but the time.
func (o *offers) claims(k uint8) {
	if o.mayClaim() && !o.q.paused {
		o.places(deed{what: doClaim, who: k, job: uint8(o.q.first), op: model.OpClaim}, o.q, answerDropped, late, doubled)
	}
}

// mayClaim reports whether the next claim would be served a job that may be claimed
// once more in this scope.
func (o *offers) mayClaim() bool {
	return o.q.first >= 0 && int(o.s.jobs[o.q.first].n) < o.w.scope.Claims
}

// beats adds the heartbeat of worker k, which comes while time passes for it, or is
// overdue. One that is lost is something only where its lease may lapse for want of it.
func (o *offers) beats(k uint8) {
	worker := &o.s.workers[k]
	isDue := o.w.takesTime(k, worker) || worker.has(isOverdue) && worker.phase == stepping
	if isDue && o.w.mayBeat(k, worker) {
		d := deed{what: doBeat, who: k, job: worker.job, op: model.OpExtend}
		o.places(d, o.q, late, doubled)
		if d.how = dropped; o.w.scope.has(Drop) && o.w.isVital(o.s, k) {
			o.add(d)
		}
	}
}

// pumps adds the ticks that find something to do, one job at a time: a tick that
// moves several does what several do with nothing between them.
func (o *offers) pumps() {
	if job, due := o.lapsed(); due {
		if o.w.reaps {
			o.add(deed{what: doReap, job: job, op: model.OpReap})
		}
		if o.w.sweeps {
			o.add(deed{what: doSweep, job: job, op: model.OpSweep})
		}
	}
	if len(o.q.schedule) > 0 && o.w.promotes && o.mayPromote() {
		o.add(deed{what: doPromote, job: o.q.schedule[0], op: model.OpPromote})
	}
}

// lapsed returns the job that a pump would take from active now, if there is one.
func (o *offers) lapsed() (job uint8, due bool) {
	i := o.q.taken()
	if i < 0 {
		return 0, false
	}
	job = o.q.active[i]
	return job, i < int(o.s.due) || o.q.isEarly() && o.mayLapse(job)
}

// mayPromote reports whether the time may have passed that the first job of the schedule is
// postponed for: it has not, if that began behind a settlement that was just answered.
func (o *offers) mayPromote() bool {
	return !slices.ContainsFunc(o.s.workers[:len(o.w.workers)], func(k worker) bool {
		return k.isAnswered() && k.step > 0 && k.job == o.q.schedule[0]
	})
}

// lapses adds the ends of leases. Time passes only while nobody is prompt who could
// still speak for the lease: one whose worker is at work is settled or extended
// long before it is over.
func (o *offers) lapses() {
	if int(o.s.due) < len(o.q.active) && o.mayLapse(o.q.active[o.s.due]) {
		o.add(deed{what: doLapse, job: o.q.active[o.s.due]})
	}
	for j := range o.w.jobs {
		job := &o.s.jobs[j]
		isApart := job.has(isBeyond|isBehind) || o.q.stands[j].Sets&model.InActive == 0
		if job.n > 0 && !job.has(isOver) && isApart && o.mayLapse(uint8(j)) {
			o.add(deed{what: doEnd, job: uint8(j)})
		}
	}
}

// mayLapse reports whether the time that a lease of j lasts may pass: nobody at
// work holds its last delivery, or who does takes so long and its heartbeats failed.
func (o *offers) mayLapse(j uint8) bool {
	for k := range o.w.workers {
		worker := &o.s.workers[k]
		if worker.isAnswered() && worker.job == j && worker.n < o.s.jobs[j].n {
			return false // what was claimed since lasts longer than its heartbeats are on their way
		}
		if worker.holds() && worker.job == j && worker.n == o.s.jobs[j].n && !worker.has(isPaused|isSettled) && !o.w.slipped(uint8(k), worker) {
			return false
		}
	}
	return true
}

// letters adds the arrivals of what is late.
func (o *offers) letters() {
	letters := o.s.letters()
	for i, l := range letters {
		if i > 0 && l == letters[i-1] || l.op == model.OpClaim && o.q.first >= 0 && !o.mayClaim() {
			continue
		}
		first, last := o.w.span(l.op, o.s, o.q)
		for p := first; p <= last; p++ {
			o.add(deed{what: doArrive, n: uint8(i), job: l.job, op: l.op, place: p})
		}
	}
}

// markers adds the end of the markers that do not last. Nobody at work may hold
// the job: a delivery is over sooner than a marker is old.
func (o *offers) markers() {
	for j := range o.w.jobs {
		if o.s.jobs[j].has(isMarked) && o.w.forgetful() && o.mayLapse(uint8(j)) {
			o.add(deed{what: doForget, job: uint8(j)})
		}
	}
}

func (w *World) forgetful() bool {
	for k := range w.workers {
		if w.workers[k].life {
			return true
		}
	}
	return false
}

// strikes adds the crash and the pause of worker k. One that holds nothing is as
// good as slow, one that waits for an answer alone is as good as without, and one that
// waits for the outside service is struck as well when it has given up.
func (o *offers) strikes(k uint8) {
	worker := &o.s.workers[k]
	if !worker.holds() || worker.phase == calling || worker.isAnswered() || worker.has(isAnew) {
		return
	}
	if o.w.scope.has(Crash) && worker.phase != waiting {
		o.add(deed{what: doCrash, who: k, job: worker.job})
	}
	if o.w.scope.has(Pause) && !worker.has(isPaused) {
		o.add(deed{what: doPause, who: k, job: worker.job})
	}
}

// mishaps adds what befalls the queue.
func (o *offers) mishaps() {
	if o.w.scope.has(Jump) {
		for n := 1; int(o.s.due)+n <= len(o.q.active); n++ {
			o.add(deed{what: doJump, n: uint8(n)})
		}
	}
	if o.w.scope.has(LoseWrites) {
		for n := 1; n <= maxForgotten && o.s.past[n-1].queue != 0; n++ {
			o.add(deed{what: doLose, n: uint8(n)})
		}
	}
}

// acts adds what somebody beside the workers may say.
func (o *offers) acts() {
	for _, op := range o.w.scope.Acts {
		switch op {
		case model.OpPause, model.OpResume, model.OpDrain, model.OpReap, model.OpSweep, model.OpPromote:
			o.queueAct(op)
		case model.OpClaim:
			if o.mayClaim() {
				o.places(deed{what: doAct, op: op, job: uint8(o.q.first)}, o.q)
			}
		default:
			o.jobActs(op)
		}
	}
}

// queueAct adds a verb about the whole queue. What does nothing is left out, and so
// is what a pump does without being asked.
func (o *offers) queueAct(op model.Op) {
	d := deed{what: doAct, op: op}
	job, due := o.lapsed()
	if op == model.OpReap || op == model.OpSweep {
		d.job = job
	}
	switch {
	case op == model.OpPause && o.q.paused, op == model.OpResume && !o.q.paused,
		op == model.OpReap && (!due || o.w.reaps), op == model.OpSweep && (!due || o.w.sweeps),
		op == model.OpPromote && (len(o.q.schedule) == 0 || o.w.promotes || !o.mayPromote()), op == model.OpDrain && o.q.first < 0:
		return
	}
	o.add(d)
}

// jobActs adds a verb about each job that was sent, or about each of its
// deliveries.
func (o *offers) jobActs(op model.Op) {
	for j := range o.w.jobs {
		job := &o.s.jobs[j]
		d := deed{what: doAct, op: op, job: uint8(j)}
		switch {
		case job.sends == 0:
		case op.Settles() || op == model.OpExtend:
			for n := uint8(1); n <= job.n; n++ {
				d.n = n
				o.places(d, o.q)
			}
		default:
			o.add(d)
		}
	}
}

// enqueueOp returns the verb with which the producer sends j.
func (w *World) enqueueOp(j uint8) model.Op {
	if w.jobs[j].delayed {
		return model.OpEnqueueIn
	}
	return model.OpEnqueue
}
