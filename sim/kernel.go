package sim

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// Config is what a run is given besides its processes.
type Config struct {
	Network   Network
	Adversary faults.Adversary   // nil: nothing goes wrong by plan
	Fired     func(faults.Point) // told when the window of a slot first changes something; may be nil
	Sink      Sink
	Horizon   model.Time       // the latest end, Never-17 at most; the event at it still happens
	MaxSteps  int64            // after so many steps of processes the run is cut; 0: never
	Server    model.Proc       // whose clock records show in Server, and whose death is an outage
	StallSlot uint8            // the timer that a stalled heartbeat holds up
	ClockSet  func(model.Proc) // told when a fault has set the clock of a process; may be nil
	Disturbed func(model.Time) // told until when a delayed or doubled message is on its way; may be nil
}

// Kernel runs processes against virtual time. It can be used again: Reset keeps
// what it has allocated.
type Kernel[M Message] struct {
	cfg      Config
	selects  faults.Selective // the adversary, if it is one
	now      model.Time
	last     key  // that was given, as if to what is ordinary
	watched  bool // adversary or chance may have a say in some message
	live     int  // what is still to come; stale timers do not count
	steps    int64
	limit    int64 // of steps
	agenda   agenda
	fetched  key // keeps the compiler from dropping what fetch reads
	procs    []process[M]
	plights  []plight
	controls []control
	cuts     []cut
	links    linkState
	fx       Effects[M]
	in       Input[M]
	bell     Input[M] // that a timer ran out: in, but for what a message brings
}

// Reset makes k ready for a run of procs under cfg. Index 0 of procs is nobody
// and is ignored; the others are the processes by model.Proc.
func (k *Kernel[M]) Reset(cfg Config, procs []Process[M]) {
	k.cfg = cfg
	k.cfg.Horizon = min(cfg.Horizon, latest) // beyond it an empty seat might come first
	if k.limit = cfg.MaxSteps; k.limit == 0 {
		k.limit = -1 // which no count of steps is
	}
	k.selects, _ = cfg.Adversary.(faults.Selective)
	k.now, k.last, k.live, k.steps = 0, key(ordinary)<<classShift, 0, 0
	k.agenda.reset(k.cfg.Horizon)
	k.bell.Kind = Timer
	if k.agenda.fetch == nil {
		k.agenda.fetch = k.fetch
	}
	k.controls, k.cuts = k.controls[:0], k.cuts[:0]
	k.links.reset(cfg)
	k.fx.asked = cfg.Adversary != nil
	k.watched = k.fx.asked || k.links.draws
	k.fx.sink = cfg.Sink
	k.fx.mail.reset()
	k.fx.forget()
	k.resetProcs(procs)
}

// Inject lets a message reach the process to at the instant at, before all
// ordinary events of that instant and after those injected earlier. Its point
// is asked on arrival; its answer reaches nobody.
func (k *Kernel[M]) Inject(at model.Time, from, to model.Proc, msg M) {
	ref, e := k.fx.mail.take()
	*e = envelope[M]{msg: msg, from: from, to: to, life: anyLife, marks: isLate | isRaw | isLocal}
	k.live++
	k.agenda.push(entry{at, k.key(injected).about(aMessage, ref, 0)})
}

// Run opens the slots, starts the processes in their order and runs until it is
// quiet, or the horizon or the limit of steps is reached. It returns which.
func (k *Kernel[M]) Run() model.Cause {
	k.openSlots()
	for p := 1; p < len(k.procs); p++ {
		if k.procs[p].impl != nil {
			k.procs[p].wants = true
			k.post(model.Proc(p), Start, ordinary)
		}
	}
	end := k.loop()
	k.record(model.Event{Kind: model.Ended, Cause: end})
	return end
}

// loop takes one entry after the other. Timers are mostly due, and their steps mostly do
// no more than arm them again: that is all here, and a call where it could be costs 3% of
// an event.
func (k *Kernel[M]) loop() model.Cause {
	for k.live > 0 {
		if k.steps == k.limit {
			return model.Limit
		}
		var e entry
		if k.agenda.isFew() {
			e = k.agenda.few.pop()
		} else {
			e = k.agenda.popAny()
		}
		var pr *process[M] // whose step it is: that of p
		in := &k.in
		p := model.Proc(e.key.ref())
		switch what := e.key.what(); { // one comparison tells a timer, and no jump
		case what == aTimer:
			pr = &k.procs[p]
			t := &pr.timers[e.key.slot()%Slots]
			if t.key != e.key || pr.paused {
				k.notNow(e, t)
				continue
			}
			k.now = e.at
			t.key, t.queued = 0, 0
			k.live--
			in = &k.bell
			if in.Slot, in.Stalled = e.key.slot(), false; pr.stall {
				k.standStill(p)
			}
		case what == aMessage:
			k.now = e.at
			p, pr = k.arrive(e.key.ref())
		case what == aStep:
			k.now = e.at
			pr = k.takeNext(p, InputKind(e.key.slot()))
		case e == nothing:
			k.now = k.cfg.Horizon
			return model.Horizon
		default:
			k.now = e.at
			k.live--
			p, pr = k.control(e.key.ref())
		}
		if pr == nil {
			continue
		}
		k.steps++
		k.fx.at, k.fx.proc = e.at, p
		pr.impl.Step(e.at.Add(pr.skew), in, &k.fx)
		if k.fx.more {
			k.fx.more = false
			if len(k.fx.sends) > 0 {
				k.sendAll()
			}
			if k.fx.arm.proc != model.NoProc {
				k.armAll()
			}
			if k.fx.next.wanted {
				k.goOn(p)
			}
			if k.fx.done.Family != 0 {
				k.strikeAfter(p)
			}
		} else if k.fx.arm.proc != model.NoProc {
			k.arm(k.fx.arm)
			k.fx.arm.proc = model.NoProc
		}
	}
	return model.Quiet
}

// Now returns the true time.
func (k *Kernel[M]) Now() model.Time { return k.now }

// Steps returns how many steps processes have taken: the useful events of the
// run. Timers that were moved or stopped before they ran out are not among them.
func (k *Kernel[M]) Steps() int64 { return k.steps }

// key returns the class c and the next number, for an entry to come.
func (k *Kernel[M]) key(c class) key {
	if k.last += 1 << seqShift; k.last == 0 {
		panic("sim: a run cannot schedule more than 68,719,476,735 things: end it by MaxSteps or Horizon")
	}
	return k.last - key(ordinary-c)<<classShift
}

// about makes a step of this kind the next input, which no message brings.
func (k *Kernel[M]) about(kind InputKind) {
	in := &k.in
	in.Kind, in.Slot, in.From = kind, 0, model.NoProc
	in.Copy, in.Raw, in.Refused, in.Stalled = false, false, false, false
}

// sendAll sends what the step wrote.
func (k *Kernel[M]) sendAll() {
	for _, ref := range k.fx.sends {
		if k.fx.mail.letters[ref].marks&isRaw != 0 {
			k.answerRaw(ref)
		} else {
			k.send(ref)
		}
	}
	k.fx.sends = k.fx.sends[:0]
}

// goOn puts the next step that p asked for into the agenda.
func (k *Kernel[M]) goOn(p model.Proc) {
	k.procs[p].wants, k.fx.next.wanted = true, false
	if k.fx.asked {
		k.plights[p].next = k.fx.next
	}
	k.post(p, Next, ordinary)
}

// strikeAfter does to p what the adversary has in mind for after the named step that p
// has just done.
func (k *Kernel[M]) strikeAfter(p model.Proc) {
	at := k.fx.done
	k.fx.done.Family = 0
	at.After = true
	k.strike(p, k.decide(at))
}

// post puts the next step of p into the agenda at this instant.
func (k *Kernel[M]) post(p model.Proc, kind InputKind, c class) {
	k.live++
	k.agenda.push(entry{k.now, k.key(c).about(aStep, int32(p), uint8(kind))})
}

// takeNext lets p, which it returns, take the step that it asked for, unless a crash has put
// an end to that life or a pause holds it up.
func (k *Kernel[M]) takeNext(p model.Proc, kind InputKind) *process[M] {
	k.live--
	pr := &k.procs[p]
	if !pr.wants {
		return nil
	}
	pr.wants = false
	k.about(kind)
	if !k.fx.asked {
		return pr
	}
	return k.takeNamed(p, kind)
}

// takeNamed is takeNext where somebody may strike before the step and after it.
func (k *Kernel[M]) takeNamed(p model.Proc, kind InputKind) *process[M] {
	pr, next := &k.procs[p], k.plights[p].next
	switch {
	case pr.paused:
		k.touchPause(p)
	case next.point.Family != 0 && !next.asked:
		k.strike(p, k.decide(next.point))
		next.asked = pr.paused
	}
	if !pr.alive {
		return nil
	}
	if pr.paused {
		next.wanted = true
		pl := &k.plights[p]
		pl.held, pl.heldKind = next, kind
		return nil
	}
	if next.effect.Family != 0 {
		k.in.Refused = k.decide(next.effect).Has(faults.Refuse)
	}
	k.fx.done, k.fx.more = next.point, true
	return pr
}

// decide asks the adversary about p, whose Nth it counts.
func (k *Kernel[M]) decide(p faults.Point) faults.Outcome {
	if !k.asks(&p) {
		return faults.Outcome{}
	}
	p.Nth = k.links.count(&p)
	return k.cfg.Adversary.Decide(p)
}

// Arm arms a timer of p at the true instant t from outside of a step; Never
// disarms it.
func (k *Kernel[M]) Arm(p model.Proc, slot uint8, t model.Time) { k.arm(arming{p, slot, t}) }

// asks reports whether the adversary has to be asked about points such as p.
func (k *Kernel[M]) asks(p *faults.Point) bool {
	return k.cfg.Adversary != nil && (k.selects == nil || k.selects.Asks(*p))
}
