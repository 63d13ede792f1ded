package exhaust

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// place gives moment i its fault, or its time.
func (s *solver) place(i int) {
	m := &s.moments[i]
	switch m.what {
	case doEnqueue:
		s.enqueue(i)
	case doSettle:
		s.settleAgain(i)
		s.workOn(m, i)
		s.beatBehind(i)
	case doBeat:
		s.beat(i)
	case doStep:
		if other := s.w.tied(s.moments, i); other >= 0 {
			s.tie(i, other)
		} else {
			s.workOn(m, i)
		}
	case doArrive:
		s.arrive(i)
	case doWake, doRestart:
		s.back(i)
	case doCrash, doPause:
		s.strike(i)
	case doJump, doLose, doAct:
		s.run()
		s.mishap(i)
	case doLapse, doEnd:
		s.wait(i)
	case doPromote:
		s.wait(i)
		s.tick(i)
	case doReap, doSweep:
		s.tick(i)
	case doClaim:
		s.claim(m, i)
	case doGiveUp:
		s.giveUp(i)
	}
	if m.how != fine {
		s.fate(i)
	}
}

// run runs the story as far as it is known.
func (s *solver) run() {
	out, err := s.runner.Run(&s.story, scenarios.Options{MaxSteps: 200_000})
	if s.err = err; err == nil {
		s.history = out.History
	}
}

// free returns when moment i may come: a little after all that comes before it.
func (s *solver) free(i int) model.Time {
	var at model.Time
	for k := range s.moments[:i] {
		if seen, ok := s.seen(&s.moments[k]); ok {
			at = max(at, seen)
		}
	}
	return at.Add(s.how.little)
}

// add puts a fault into the plan.
func (s *solver) add(i int, p faults.Point, o faults.Outcome) {
	s.isStuck = s.isStuck || slices.ContainsFunc(s.story.Plan, func(e faults.Entry) bool {
		same := e.Point == p || e.Point.Family == faults.Slot && e.Point.Proc == p.Proc && e.Outcome.At == o.At
		return same && e.Outcome.Kinds == o.Kinds
	})
	s.entries[i] = len(s.story.Plan)
	s.story.Plan = append(s.story.Plan, faults.Entry{Point: p, Outcome: o})
}

// outcome returns what the fault of moment i does.
func (s *solver) outcome(i int) *faults.Outcome { return &s.story.Plan[s.entries[i]].Outcome }

// fate puts what befalls the message of moment i into the plan. One that is late or
// doubled is far away until the moment at which it arrives is placed.
func (s *solver) fate(i int) {
	m := &s.moments[i]
	p := faults.Point{Family: faults.Message, Op: m.op, Job: model.Job(m.job) + 1, N: int32(m.n), Nth: m.nth}
	o := faults.Outcome{Kinds: kindOf(hows[m.how])}
	switch m.how {
	case answerDropped:
		p.Reply = true
		if p.Nth == 1 {
			p.Nth = faults.FirstReply
		}
	case late:
		o.By = far
	case doubled:
		o.After = far
	}
	s.add(i, p, o)
}

// arrive lets a letter arrive at its time: that much after it would have arrived
// without its fault.
func (s *solver) arrive(i int) {
	m := &s.moments[i]
	full := s.story.Plan
	at := s.entries[m.delay]
	s.story.Plan = slices.Concat(full[:at], full[at+1:])
	s.run()
	s.story.Plan = full
	if s.err != nil {
		return
	}
	was := &s.moments[m.delay]
	base, ok := s.unharmed(was)
	if s.run(); s.err != nil {
		return
	}
	later := max(s.free(i).Sub(base), s.how.little, time.Microsecond)
	if s.isStuck = !ok; s.isStuck {
		return
	}
	if !m.copied && !m.isInTime {
		later = max(later, s.patienceFor(was))
	}
	if m.copied {
		s.outcome(m.delay).After = later
	} else {
		s.outcome(m.delay).By = later
	}
}

// unharmed returns when the request of m arrives, in a run in which nothing befalls it.
func (s *solver) unharmed(m *moment) (model.Time, bool) {
	if m.what != doEnqueue && m.what != doSettle && m.what != doBeat {
		return s.seen(m)
	}
	e := s.first(func(e *model.Event) bool { return e.Kind == model.Applied && s.isRequest(e, m) })
	if e == nil {
		return 0, false
	}
	return e.At, true
}

// patienceFor returns how long the speaker of m waits for an answer.
func (s *solver) patienceFor(m *moment) time.Duration {
	long := time.Duration(0)
	switch {
	case m.op == model.OpEnqueue:
		long = s.story.Producers[int(s.story.Jobs[m.job].By)-firstProducer].Timeout
	case m.op != model.OpExtend:
		for k := range s.story.Workers {
			long = max(long, s.story.Workers[k].Timeout)
		}
	}
	if long == far {
		return 0 // it waits for as long as will be found
	}
	return long
}

// strike crashes or pauses a worker before its next step, until it is known for how
// long. Which of several workers got the delivery is seen in the run.
func (s *solver) strike(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	e := s.claimOf(m)
	if e == nil {
		s.isStuck = true
		return
	}
	if s.isAsleep(i) {
		s.add(i, faults.Point{Family: faults.Slot, Slot: faults.SlotCrash, Proc: e.Proc, Nth: s.nthSlot(e.Proc)},
			faults.Outcome{Kinds: faults.Crash, At: s.free(i)})
		return
	}
	o := faults.Outcome{Kinds: faults.Crash}
	if m.what == doPause {
		o = faults.Outcome{Kinds: faults.Pause, For: far}
	}
	p := faults.Point{Family: faults.Step, Proc: e.Proc, Step: m.step, After: m.isSent, Job: model.Job(m.job) + 1, N: int32(m.n), Nth: 1}
	if s.isAtWork(m) && (s.beatsOn(i) || s.isTied(i)) {
		p.Step, p.After = model.StepClaim, true
	}
	s.add(i, p, o)
}

// beatsOn reports whether the worker that is paused in moment i has work left when it
// wakes, since its heartbeat comes before its next step.
func (s *solver) beatsOn(i int) bool {
	for _, o := range s.moments[i+1:] {
		if o.who == s.moments[i].who && o.isOfWorker() && o.what != doWake {
			return o.what == doBeat
		}
	}
	return false
}

// isAtWork reports whether the worker that is paused in moment m has done no step yet.
func (s *solver) isAtWork(m *moment) bool {
	if m.isSent {
		return false
	}
	return m.step == model.StepSettle && m.n <= s.w.jobs[m.job].fails || len(s.w.workers[m.who].program) > 0 && m.step == s.w.workers[m.who].program[0]
}

// nthSlot numbers the crashes at a time of one process.
func (s *solver) nthSlot(p model.Proc) int32 {
	n := int32(1)
	for i := range s.story.Plan {
		if pt := &s.story.Plan[i].Point; pt.Family == faults.Slot && pt.Slot == faults.SlotCrash && pt.Proc == p {
			n++
		}
	}
	return n
}

// isAsleep reports whether moment i is the crash of a worker that stands still.
func (s *solver) isAsleep(i int) bool {
	m := &s.moments[i]
	if m.what != doCrash {
		return false
	}
	for k := i - 1; k >= 0; k-- {
		if o := &s.moments[k]; o.who == m.who && (o.what == doPause || o.what == doWake) {
			return o.what == doPause
		}
	}
	return false
}

// back brings a worker back, from the last strike on it.
func (s *solver) back(i int) {
	k := i - 1
	for s.moments[k].who != s.moments[i].who || s.moments[k].what != doCrash && s.moments[k].what != doPause {
		k--
	}
	if s.run(); s.err != nil {
		return
	}
	p, kind := s.story.Plan[s.entries[k]].Point, model.Paused
	if s.moments[k].what == doCrash {
		kind = model.Crashed
	}
	e := s.last(func(e *model.Event) bool { return e.Kind == kind && e.Proc == p.Proc })
	if e == nil {
		s.isStuck = true
		return
	}
	span := s.free(i).Sub(e.At)
	if span <= 0 {
		span = time.Microsecond
	}
	if s.isBeatDue(i) {
		span = max(span, s.story.Workers[s.worker(p.Proc)].Heartbeat+time.Millisecond)
	}
	if o := s.outcome(k); kind == model.Paused {
		o.For = span
	} else {
		o.Restart, o.Restarts = span, true
	}
}

// isBeatDue reports whether the worker that wakes in moment i has slept over a
// heartbeat.
func (s *solver) isBeatDue(i int) bool {
	for _, o := range s.moments[i+1:] {
		if o.who == s.moments[i].who && o.isOverdue {
			return true
		}
	}
	return false
}

// mishap puts a jump, a crash of the queue or an act at its time.
func (s *solver) mishap(i int) {
	if s.err != nil {
		return
	}
	m, at := &s.moments[i], s.free(i)
	switch m.what {
	case doJump:
		s.add(i, faults.Point{Family: faults.Slot, Slot: faults.SlotClock, Proc: faults.Queue, Nth: s.count(i)},
			faults.Outcome{Kinds: faults.Clock, At: at, By: s.jump(m, at)})
	case doLose:
		s.add(i, faults.Point{Family: faults.Slot, Slot: faults.SlotCrash, Proc: faults.Queue, Nth: s.count(i)},
			faults.Outcome{Kinds: faults.Crash, At: at, Lose: faults.Loss{Writes: int(m.n)}, Restarts: true, Restart: time.Microsecond})
	case doAct:
		if over, ok := s.lapsed(m); ok && (m.op == model.OpReap || m.op == model.OpSweep) && s.lead() > 0 {
			at = max(at, over.Add(-s.lead()))
		}
		s.story.Dos = append(s.story.Dos, scenarios.Do{
			Op: m.op, Job: s.actJob(m), N: int32(m.n), By: s.speakerProc(), At: at,
			Token: scenarios.OwnToken, Delay: s.actDelay(m), Max: scenarios.OwnMax,
		})
	}
}

// lead returns how long before the end of a lease this queue's pumps take a job: as long for
// each part of a lease as where it was probed.
func (s *solver) lead() time.Duration {
	rule := &s.w.machine.rule
	return (rule.lease - rule.held) / max(rule.lease/time.Millisecond, 1) * (s.story.Queue.Lease / time.Millisecond)
}

// jump returns how far the server's clock has to jump at a time, so that the leases are
// over that are to be over and no other.
func (s *solver) jump(m *moment, at model.Time) time.Duration {
	if until, ok := s.lapsed(m); ok && until > at {
		return inMillis(until.Sub(at))
	}
	return s.story.Queue.Lease
}

// skew returns how far the jumps so far have brought the server's clock.
func (s *solver) skew() (skew time.Duration) {
	for i := range s.story.Plan {
		if e := &s.story.Plan[i]; e.Point.Slot == faults.SlotClock && e.Point.Family == faults.Slot {
			skew += e.Outcome.By
		}
	}
	return skew
}

// count numbers the mishaps of one kind.
func (s *solver) count(i int) int32 {
	n := int32(1)
	for k := range s.moments[:i] {
		if s.moments[k].what == s.moments[i].what {
			n++
		}
	}
	return n
}

// actJob returns the job that an act names.
func (s *solver) actJob(m *moment) model.Job {
	if m.op.Admits() || m.op.Settles() || m.op == model.OpExtend || m.op == model.OpRemove || m.op == model.OpReprocess {
		return model.Job(m.job) + 1
	}
	return model.NoJob
}

// actDelay returns for how long an act postpones. A delay has to say so.
func (s *solver) actDelay(m *moment) time.Duration {
	if m.op == model.OpDelay {
		return s.story.Queue.RetryDelay
	}
	return scenarios.OwnDelay
}

func (s *solver) speakerProc() model.Proc {
	return model.Proc(firstProducer + len(s.story.Producers) + len(s.story.Workers))
}
