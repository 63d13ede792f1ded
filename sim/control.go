package sim

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// doing is what a control does when its instant has come.
type doing uint8

const (
	doCrash doing = iota
	doRestart
	doPause
	doWake
	doStall
	doUnstall
	doCut
	doHeal
	doClock
)

// control is a fault, or the end of one, that is to come at an instant.
type control struct {
	do      doing
	proc    model.Proc
	life    int32
	point   faults.Point
	outcome faults.Outcome
}

// cut is a link through which nothing passes.
type cut struct {
	point  faults.Point // the slot of the window, whose Proc and Peer are the ends
	window faults.Point // the same until it was told that the window fired
	oneway bool
}

var slotDoes = [...]struct {
	slot faults.SlotKind
	do   doing
}{
	{faults.SlotClock, doClock}, {faults.SlotPartition, doCut}, {faults.SlotStall, doStall},
	{faults.SlotPause, doPause}, {faults.SlotCrash, doCrash},
}

// openSlots asks the adversary once for every slot of every process, in a fixed
// order, and schedules what it holds. The sorts of which it says beforehand that they
// hold nothing are left out: most worlds draw from few.
func (k *Kernel[M]) openSlots() {
	if k.cfg.Adversary == nil {
		return
	}
	var asked [len(slotDoes)]bool
	for i, s := range slotDoes {
		asked[i] = k.asks(&faults.Point{Family: faults.Slot, Slot: s.slot})
	}
	for p := model.Proc(1); int(p) < len(k.procs); p++ {
		for i, s := range slotDoes {
			if !asked[i] {
				continue
			}
			if s.slot != faults.SlotPartition {
				k.openSlot(faults.Point{Family: faults.Slot, Slot: s.slot, Proc: p}, s.do)
				continue
			}
			if p != k.cfg.Server {
				k.openSlot(faults.Point{Family: faults.Slot, Slot: s.slot, Proc: p, Peer: k.cfg.Server}, s.do)
				k.openSlot(faults.Point{Family: faults.Slot, Slot: s.slot, Proc: k.cfg.Server, Peer: p}, s.do)
			}
		}
	}
}

// openSlot asks for the first, second, ... window of one slot until there is
// none.
func (k *Kernel[M]) openSlot(p faults.Point, do doing) {
	for p.Nth = 1; ; p.Nth++ {
		o := k.cfg.Adversary.Decide(p)
		if o.Benign() {
			return
		}
		k.schedule(o.At, control{do: do, proc: p.Proc, point: p, outcome: o})
	}
}

func (k *Kernel[M]) schedule(at model.Time, c control) {
	k.controls = append(k.controls, c)
	k.live++
	k.agenda.add(entry{at, k.key(byFault).about(aControl, place(len(k.controls)-1), 0)})
}

// control does what is due, and returns whose step that brings about, if it does.
func (k *Kernel[M]) control(ref int32) (model.Proc, *process[M]) {
	c := k.controls[ref]
	pr := &k.procs[c.proc]
	switch c.do {
	case doCrash:
		if pr.alive {
			k.fired(&c.point)
			k.crash(c.proc, c.outcome)
		}
	case doRestart:
		k.restart(c.proc)
		return c.proc, pr
	case doPause:
		k.pause(c.proc, k.now.Add(c.outcome.For), c.point)
	case doWake:
		if c.life == pr.life {
			k.wake(c.proc)
		}
	case doStall:
		k.stall(c)
	case doUnstall:
		pr.stall = k.plights[c.proc].calms > k.now
	case doCut:
		k.cut(c)
	case doHeal:
		k.heal(c)
	case doClock:
		k.setClock(c)
	}
	return model.NoProc, nil
}

// stall holds up a heartbeat. A window within another changes nothing.
func (k *Kernel[M]) stall(c control) {
	pr, pl := &k.procs[c.proc], &k.plights[c.proc]
	until := k.now.Add(c.outcome.For)
	if pr.stall && pl.calms >= until {
		return
	}
	pr.stall, pl.calms, pl.stalls = true, until, c.point
	k.record(model.Event{Kind: model.Stalled, Proc: c.proc, Until: until})
	k.schedule(until, control{do: doUnstall, proc: c.proc})
}

func (k *Kernel[M]) cut(c control) {
	until := k.now.Add(c.outcome.For)
	k.cuts = append(k.cuts, cut{point: c.point, window: c.point, oneway: c.outcome.Oneway})
	k.record(cutEvent(model.Cut, c, until))
	k.schedule(until, control{do: doHeal, proc: c.proc, point: c.point, outcome: c.outcome})
}

func (k *Kernel[M]) heal(c control) {
	k.cuts = slices.DeleteFunc(k.cuts, func(o cut) bool { return o.point == c.point })
	k.record(cutEvent(model.Healed, c, 0))
}

func cutEvent(kind model.Kind, c control, until model.Time) model.Event {
	e := model.Event{Kind: kind, Proc: c.point.Proc, Peer: c.point.Peer, Until: until}
	if c.outcome.Oneway {
		e.Flags = model.IsOneway
	}
	return e
}

// isCut reports whether nothing passes from a to b, and tells the window that
// it has changed something.
func (k *Kernel[M]) isCut(a, b model.Proc) bool {
	for i := range k.cuts {
		c := &k.cuts[i]
		from, to := c.point.Proc, c.point.Peer
		if from == a && to == b || !c.oneway && from == b && to == a {
			k.fired(&c.window)
			return true
		}
	}
	return false
}

// setClock steps a process's clock, or sets it off from the start.
func (k *Kernel[M]) setClock(c control) {
	k.fired(&c.point)
	pr := &k.procs[c.proc]
	pr.skew += c.outcome.By
	k.record(model.Event{
		Kind: model.ClockSet, Proc: c.proc, Skew: int64(pr.skew),
		Server: k.now.Add(pr.skew).FloorMillis(),
	})
	if k.cfg.ClockSet != nil {
		k.cfg.ClockSet(c.proc)
	}
}

// Skew returns how far the clock of p is off.
func (k *Kernel[M]) Skew(p model.Proc) time.Duration { return k.procs[p].skew }
