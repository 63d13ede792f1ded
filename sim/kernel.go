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
	Horizon   model.Time       // the latest end; the event at it still happens
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
	seq      uint64
	live     int // what is still to come; stale timers do not count
	steps    int64
	agenda   agenda
	procs    []process[M]
	letters  []envelope[M]
	free     []int32
	controls []control
	cuts     []cut
	links    linkState
	fx       Effects[M]
	in       Input[M]
}

// Reset makes k ready for a run of procs under cfg. Index 0 of procs is nobody
// and is ignored; the others are the processes by model.Proc.
func (k *Kernel[M]) Reset(cfg Config, procs []Process[M]) {
	k.cfg = cfg
	k.selects, _ = cfg.Adversary.(faults.Selective)
	k.now, k.seq, k.live, k.steps = 0, 0, 0, 0
	k.agenda.reset()
	k.letters, k.free = k.letters[:0], k.free[:0]
	k.controls, k.cuts = k.controls[:0], k.cuts[:0]
	k.links.reset(cfg)
	k.fx.sink = cfg.Sink
	k.resetProcs(procs)
}

// Inject lets a message reach the process to at the instant at, before all
// ordinary events of that instant and after those injected earlier. Its point
// is asked on arrival; its answer reaches nobody.
func (k *Kernel[M]) Inject(at model.Time, from, to model.Proc, msg M) {
	ref := k.letter(envelope[M]{msg: msg, from: from, to: to, life: anyLife, late: true, raw: true, local: true})
	k.live++
	k.agenda.push(entry{at: at, key: k.key(injected), ref: ref, what: aMessage})
}

// Run opens the slots, starts the processes in their order and runs until it is
// quiet, or the horizon or the limit of steps is reached. It returns which.
func (k *Kernel[M]) Run() model.Cause {
	k.openSlots()
	for p := 1; p < len(k.procs); p++ {
		if k.procs[p].impl != nil {
			k.post(model.Proc(p), nextStep{wanted: true}, Start, ordinary)
		}
	}
	end := k.loop()
	k.record(model.Event{Kind: model.Ended, Cause: end})
	return end
}

func (k *Kernel[M]) loop() model.Cause {
	for k.live > 0 {
		if k.steps == k.cfg.MaxSteps && k.steps > 0 {
			return model.Limit
		}
		e := k.agenda.pop()
		if e.at > k.cfg.Horizon {
			k.now = k.cfg.Horizon
			return model.Horizon
		}
		k.dispatch(e)
	}
	return model.Quiet
}

// Now returns the true time.
func (k *Kernel[M]) Now() model.Time { return k.now }

// Steps returns how many steps processes have taken: the useful events of the
// run. Timers that were moved or stopped before they ran out are not among them.
func (k *Kernel[M]) Steps() int64 { return k.steps }

func (k *Kernel[M]) dispatch(e entry) {
	switch e.what {
	case aTimer:
		k.surface(e)
	case aMessage:
		k.now = e.at
		k.arrive(e.ref)
	case aStep:
		k.now = e.at
		k.takeNext(model.Proc(e.ref), e.slot)
	case aControl:
		k.now = e.at
		k.live--
		k.control(e.ref)
	}
}

func (k *Kernel[M]) key(c class) uint64 {
	k.seq++
	return uint64(c)<<classShift | k.seq
}

// run lets process p take one step about k.in, and does what it wants done.
// After is the step's own point, zero if it has none.
func (k *Kernel[M]) run(p model.Proc, after faults.Point) {
	pr := &k.procs[p]
	k.steps++
	k.fx.begin(k.now, p)
	pr.impl.Step(k.now.Add(pr.skew), &k.in, &k.fx)
	for i := range k.fx.sends {
		if s := &k.fx.sends[i]; s.raw {
			k.answerRaw(s)
		} else {
			k.send(p, s)
		}
	}
	for _, a := range k.fx.arms {
		k.arm(a)
	}
	if k.fx.next.wanted {
		k.post(p, k.fx.next, Next, ordinary)
	}
	if k.fx.done.Family != 0 {
		after = k.fx.done
	}
	if after.Family != 0 && !k.fx.open {
		after.After = true
		k.strike(p, k.decide(after))
	}
}

// post puts a step of p into the agenda at this instant.
func (k *Kernel[M]) post(p model.Proc, next nextStep, kind InputKind, c class) {
	k.procs[p].next = next
	k.live++
	k.agenda.push(entry{at: k.now, key: k.key(c), ref: int32(p), what: aStep, slot: uint8(kind)})
}

// takeNext takes the step that p asked for, unless a crash has put an end to
// that life or a pause holds it up.
func (k *Kernel[M]) takeNext(p model.Proc, kind uint8) {
	k.live--
	pr := &k.procs[p]
	next := pr.next
	if !next.wanted || !pr.alive {
		return
	}
	if pr.paused {
		k.touchPause(p)
		pr.held, pr.heldKind = next, InputKind(kind)
		pr.next.wanted = false
		return
	}
	pr.next.wanted = false
	if next.point.Family != 0 && !next.asked {
		k.strike(p, k.decide(next.point))
		if !pr.alive {
			return
		}
		if pr.paused {
			next.asked = true
			pr.held, pr.heldKind = next, InputKind(kind)
			return
		}
	}
	k.in = Input[M]{Kind: InputKind(kind)}
	if next.effect.Family != 0 {
		k.in.Refused = k.decide(next.effect).Has(faults.Refuse)
	}
	k.run(p, next.point)
}

// decide asks the adversary about p, whose Nth it counts.
func (k *Kernel[M]) decide(p faults.Point) faults.Outcome {
	if !k.asks(p) {
		return faults.Outcome{}
	}
	p.Nth = k.links.count(p)
	return k.cfg.Adversary.Decide(p)
}

// Arm arms a timer of p at the true instant t from outside of a step; Never
// disarms it.
func (k *Kernel[M]) Arm(p model.Proc, slot uint8, t model.Time) { k.arm(arming{p, slot, t}) }

// asks reports whether the adversary has to be asked about points such as p.
func (k *Kernel[M]) asks(p faults.Point) bool {
	return k.cfg.Adversary != nil && (k.selects == nil || k.selects.Asks(p))
}
