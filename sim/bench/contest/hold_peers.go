package main

import (
	"sync"

	"github.com/fschuetz04/simgo"
	"github.com/sarchlab/akita/v4/sim"
)

// Both peers count time in floats, to which whole nanoseconds below 2^53 are exact.

// holdSimgo is the hold model on simgo, by the handlers of its events.
func holdSimgo(h *hold) {
	s := simgo.NewSimulation()
	for id := range h.pending {
		var again simgo.Handler
		again = func(*simgo.Event) {
			s.Timeout(float64(h.event(int64(s.Now()), id))).AddHandler(again)
		}
		s.Timeout(float64(h.draw())).AddHandler(again)
	}
	for h.goesOn() {
		s.Step()
	}
}

// holdSimgoProcesses is the same by its processes, which are goroutines.
func holdSimgoProcesses(h *hold) {
	s := simgo.NewSimulation()
	for id := range h.pending {
		s.Process(func(p simgo.Process) {
			for next := h.draw(); ; next = h.event(int64(p.Now()), id) {
				p.Wait(p.Timeout(float64(next)))
			}
		})
	}
	for range h.pending {
		s.Step() // they start
	}
	for h.goesOn() {
		s.Step()
	}
}

// holdAkita is the hold model on the serial engine of akita, which has no order of
// its own among events of one instant.
func holdAkita(h *hold) {
	numberedIDs()
	p := &akitaParty{h, sim.NewSerialEngine()}
	for id := range h.pending {
		p.schedule(sim.VTimeInSec(h.draw()), id)
	}
	if err := p.engine.Run(); err != nil {
		panic(err)
	}
}

// numberedIDs makes the names of events numbers, which is the cheapest that there is. It
// may be done once.
var numberedIDs = sync.OnceFunc(sim.UseSequentialIDGenerator)

// akitaParty handles all events.
type akitaParty struct {
	hold   *hold
	engine *sim.SerialEngine
}

type akitaEvent struct {
	*sim.EventBase
	id int
}

func (p *akitaParty) schedule(at sim.VTimeInSec, id int) {
	p.engine.Schedule(akitaEvent{sim.NewEventBase(at, p), id})
}

func (p *akitaParty) Handle(e sim.Event) error {
	if p.hold.goesOn() {
		id := e.(akitaEvent).id
		p.schedule(e.Time()+sim.VTimeInSec(p.hold.event(int64(e.Time()), id)), id)
	}
	return nil
}
