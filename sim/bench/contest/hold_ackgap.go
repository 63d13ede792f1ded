package main

import (
	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// holdAckgap is the hold model on the kernel of sim as anybody may use it: each
// event is a timer of a process, and its delivery a step of that process.
func holdAckgap(h *hold) {
	procs := []sim.Process[note]{nil}
	for first := 0; first < h.pending; first += sim.Slots {
		procs = append(procs, &holder{h: h, first: first})
	}
	var k sim.Kernel[note]
	k.Reset(sim.Config{
		Sink: deaf{}, Horizon: model.Never - 1,
		MaxSteps: int64(len(procs) - 1 + h.pending + h.events),
	}, procs)
	k.Run()
}

// holder has some of the pending events, one in each of its timers.
type holder struct {
	h     *hold
	first int // the number of the event in slot 0
}

func (p *holder) Step(now model.Time, in *sim.Input[note], fx *sim.Effects[note]) {
	if in.Kind == sim.Timer {
		fx.After(in.Slot, duration(p.h.event(int64(now), p.first+int(in.Slot))))
		return
	}
	for slot := 0; slot < sim.Slots && p.first+slot < p.h.pending; slot++ {
		fx.After(uint8(slot), duration(p.h.draw()))
	}
}

func (*holder) Crash(model.Time, faults.Loss) {}

// note is a message that says nothing.
type note struct{}

func (note) Label() model.Event { return model.Event{} }

// deaf is a sink that keeps nothing.
type deaf struct{}

func (deaf) Record(*model.Event, []model.Touch) {}
