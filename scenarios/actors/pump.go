package actors

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// SlotTick is the pump's one timer; the world arms it.
const SlotTick uint8 = 0

// pumped are the pump's verbs in the order of its tick.
var pumped = [...]model.Op{model.OpReap, model.OpPromote, model.OpSweep}

// Pump is the process beside the queue that reaps lapsed leases, promotes due
// jobs and sweeps stalled ones, each at the multiples of its own period. Ticks
// at which nothing is due are not simulated: the world says what is due, and
// the pump sleeps until the first tick at or after that.
type Pump struct {
	Self   model.Proc
	Every  [len(pumped)]time.Duration // reap, promote, sweep; 0: off
	next   [len(pumped)]model.Time    // the tick that is waited for, or Never
	ticked [len(pumped)]model.Time    // the latest tick

	lapse, run, first model.Time // what Await was told last, and its answer
}

// Reset makes the pump sleep.
func (p *Pump) Reset() {
	p.ticked, p.first = [len(pumped)]model.Time{}, 0
	for i := range p.next {
		p.next[i] = model.Never
	}
}

// Step takes the ticks of this instant, in the order reap, promote, sweep. A
// tick that was missed is skipped: the pump ticks at multiples of its periods
// and at no other time.
func (p *Pump) Step(in *Input, scene *Scene, fx *Effects) {
	if in.Kind == sim.Restart {
		fx.Record(model.Event{Kind: model.Restarted}, nil)
	}
	if in.Kind != sim.Timer {
		return
	}
	for i, op := range pumped {
		if p.next[i] != fx.Now() {
			continue
		}
		p.ticked[i], p.next[i] = fx.Now(), model.Never
		m := Msg{Op: op, Speaker: p.Self, Ref: NoRef}
		if op == model.OpSweep {
			m.Max = scene.MaxStalled
		}
		fx.Call(scene.Queue, m, faults.Point{})
	}
}

// Crash puts the pump to sleep; the world wakes it after its restart.
func (p *Pump) Crash() { p.Reset() }

// Await says what is due and when, in true time: lapse is the earliest deadline
// of a lease, run the earliest run-at of a scheduled job. It returns the next
// instant at which the pump has to tick. A tick of this very instant counts if
// it was waited for already, or if again is set: faults and outside requests
// come before the ticks of their instant, all other events after them.
func (p *Pump) Await(now, lapse, run model.Time, again bool) model.Time {
	if !again && now < p.first && lapse == p.lapse && run == p.run {
		return p.first // it was the first from an earlier instant on, and still is
	}
	due := [len(pumped)]model.Time{lapse, run, lapse}
	first := model.Never
	for i, every := range p.Every {
		if every <= 0 || due[i] == model.Never {
			p.next[i] = model.Never
			continue
		}
		from := max(due[i], now)
		if from == now && !again && p.next[i] != now {
			from = now + 1
		}
		p.next[i] = max(from, p.ticked[i]+1, 1).Next(0, every)
		first = min(first, p.next[i])
	}
	p.lapse, p.run, p.first = lapse, run, first
	return first
}
