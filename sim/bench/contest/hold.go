package main

import (
	"fmt"
	"maps"
	"slices"
)

// hold is what all hold models share, as peers/hold.h has it for C: the generator,
// the sum over the order of events, and the clock.
type hold struct {
	pending, events int
	seen, mark      int // how many events have been, and after how many something is due (0: nothing more)
	random, sum     uint64
	began           int64 // processor time in nanoseconds
	over            bool
}

// early is after how many events the sum is told first: the slowest get there too.
const early = 200_000

// draw returns a time from 1 to 2^20, by splitmix64.
func (h *hold) draw() int64 {
	h.random += 0x9E3779B97F4A7C15
	z := h.random
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return 1 + int64((z^z>>31)>>44)
}

// event takes note of event id at the instant at, and returns how much later the
// next one with that id comes.
func (h *hold) event(at int64, id int) int64 {
	mixed := (h.sum ^ uint64(at) ^ uint64(id)<<40) * 0x9E3779B97F4A7C15
	h.sum = mixed ^ mixed>>29
	h.seen++
	return h.draw()
}

// goesOn does what is due after the last event, and reports whether there is one more. All
// ask it before each event, and it is apart from that so that both are inlined, as they
// are in C.
func (h *hold) goesOn() bool {
	if h.seen == h.mark {
		h.pass()
	}
	return !h.over
}

// pass does what is due at the mark, and sets the next: the clock begins when each
// event has come once.
func (h *hold) pass() {
	switch h.seen {
	case h.pending:
		h.began = int64(clock())
		h.mark += min(early, h.events)
		return
	case h.pending + early:
		fmt.Printf("early %016x\n", h.sum)
	}
	if h.mark = h.pending + h.events; h.seen == h.mark {
		fmt.Printf("ns %d\nevents %d\nsum %016x\n", int64(clock())-h.began, h.events, h.sum)
		h.over, h.mark = true, 0
	}
}

var holds = map[string]func(*hold){
	"ackgap": holdAckgap, "coroutines": holdCoroutines, "heap": holdHeap, "channels": holdChannels, "synctest": holdSynctest,
	"simgo": holdSimgo, "simgo-processes": holdSimgoProcesses, "akita": holdAkita,
}

func runHold(name string, numbers []int) error {
	do, ok := holds[name]
	if !ok {
		return unknown(name, slices.Sorted(maps.Keys(holds))...)
	}
	do(&hold{pending: numbers[0], events: numbers[1], mark: numbers[0]})
	return nil
}
