package main

import (
	"iter"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// holdAckgap is the hold model on the kernel of sim as anybody may use it: each
// event is a timer of a process, and its delivery a step of that process.
func holdAckgap(h *hold) { h.onKernel(&holder{}) }

// holdCoroutines is the same where each event belongs to a coroutine, as a handler
// of simtest is one: the step resumes it, and it parks with the time of the next.
func holdCoroutines(h *hold) {
	p := &resumer{resume: make([]func() (int64, bool), h.pending)}
	for id := range p.resume {
		p.resume[id], _ = iter.Pull(func(park func(int64) bool) {
			for park(h.event(p.at, id)) {
			}
		})
	}
	h.onKernel(p)
}

// onKernel runs h with processes that have no state of their own: all are p.
func (h *hold) onKernel(p sim.Process[note]) {
	held = h
	procs := []sim.Process[note]{nil}
	for first := 0; first < h.pending; first += sim.Slots {
		procs = append(procs, p)
	}
	var k sim.Kernel[note]
	k.Reset(sim.Config{
		Sink: deaf{}, Horizon: model.Never - 1,
		MaxSteps: int64(len(procs) - 1 + h.pending + h.events),
	}, procs)
	k.Run()
	h.goesOn()
}

// held is what all steps share, as hold is in peers/hold.h: reached by way of the process,
// it would keep each draw waiting until that one is known.
var held *hold

// holder has the pending events, one in each timer of each process.
type holder struct{}

func (*holder) Step(now model.Time, in *sim.Input[note], fx *sim.Effects[note]) {
	if id := first(fx) + int(in.Slot); in.Kind == sim.Timer {
		held.goesOn()
		fx.After(in.Slot, duration(held.event(int64(now), id)))
		return
	}
	for slot := 0; slot < sim.Slots && first(fx)+slot < held.pending; slot++ {
		fx.After(uint8(slot), duration(held.draw()))
	}
}

func (*holder) Crash(model.Time, faults.Loss) {}

// first returns the number of the event in slot 0.
func first(fx *sim.Effects[note]) int { return (int(fx.Self()) - 1) * sim.Slots }

// resumer is a holder whose events are handled by coroutines.
type resumer struct {
	holder
	resume []func() (int64, bool)
	at     int64
}

func (p *resumer) Step(now model.Time, in *sim.Input[note], fx *sim.Effects[note]) {
	if in.Kind != sim.Timer {
		p.holder.Step(now, in, fx)
		return
	}
	held.goesOn()
	p.at = int64(now)
	later, _ := p.resume[first(fx)+int(in.Slot)]()
	fx.After(in.Slot, duration(later))
}

// note is a message that says nothing.
type note struct{}

func (note) Label() model.Event { return model.Event{} }

// deaf is a sink that keeps nothing.
type deaf struct{}

func (deaf) Record(*model.Event, []model.Touch) {}
