package sim

import "github.com/ackgap/ackgap/model"

// class orders what happens at one instant.
type class uint64

const (
	byFault  class = iota // windows, clock steps, crashes, restarts, wakings
	injected              // from outside: `do` lines, in file order
	ordinary              // all else, in order of scheduling
)

const classShift = 62

// what an entry of the agenda stands for.
type what uint8

const (
	aTimer what = iota
	aMessage
	aStep
	aControl
)

// entry is one thing to come: a value of 24 bytes, ordered by (at, key).
type entry struct {
	at   model.Time
	key  uint64 // class, then sequence
	ref  int32  // aMessage: index of the envelope; aControl: of the control; aStep, aTimer: process
	what what
	slot uint8 // aTimer
}

func (e *entry) before(o *entry) bool {
	return e.at < o.at || e.at == o.at && e.key < o.key
}

// agenda is an implicit 4-ary min-heap of entries. Four children share a cache
// line and a half, so that a pop touches fewer lines than a binary heap's.
type agenda struct{ heap []entry }

func (a *agenda) push(e entry) {
	a.heap = append(a.heap, e)
	h := a.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (a *agenda) pop() entry {
	h := a.heap
	top := h[0]
	last := h[len(h)-1]
	h = h[:len(h)-1]
	a.heap = h
	if len(h) > 0 {
		sink(h, last)
	}
	return top
}

// sink puts e where the root was and lets it down to its place.
func sink(h []entry, e entry) {
	i := 0
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(h)); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
}
