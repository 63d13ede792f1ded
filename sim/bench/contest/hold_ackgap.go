package main

import (
	"iter"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// holdAckgap is the hold model on the kernel of sim as anybody may use it: each
// event is a timer of a process, and its delivery a step of that process.
func holdAckgap(h *hold) { h.onKernel((*hold).event) }

// holdCoroutines is the same where each event belongs to a coroutine, as a handler
// of simtest is one: the step resumes it, and it parks with the time of the next.
func holdCoroutines(h *hold) {
	var at int64
	resume := make([]func() (int64, bool), h.pending)
	for id := range resume {
		resume[id], _ = iter.Pull(func(park func(int64) bool) {
			for park(h.event(at, id)) {
			}
		})
	}
	h.onKernel(func(_ *hold, now int64, id int) int64 {
		at = now
		later, _ := resume[id]()
		return later
	})
}

// onKernel runs h, whose events are handled by event.
func (h *hold) onKernel(event func(h *hold, at int64, id int) int64) {
	procs := []sim.Process[note]{nil}
	for first := 0; first < h.pending; first += sim.Slots {
		procs = append(procs, &holder{h: h, event: event, first: first})
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
	event func(h *hold, at int64, id int) int64
	first int // the number of the event in slot 0
}

func (p *holder) Step(now model.Time, in *sim.Input[note], fx *sim.Effects[note]) {
	if in.Kind == sim.Timer {
		fx.After(in.Slot, duration(p.event(p.h, int64(now), p.first+int(in.Slot))))
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
