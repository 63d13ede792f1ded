package sim

import "github.com/ackgap/ackgap/model"

// class orders what happens at one instant.
type class uint64

const (
	byFault  class = iota // windows, clock steps, crashes, restarts, wakings
	injected              // from outside: `do` lines, in file order
	woken                 // what waited for a process that wakes at this instant
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
	whatCount
)

// entry is one thing to come: a value of 24 bytes, ordered by (at, key).
type entry struct {
	at   model.Time
	key  uint64 // class, then sequence
	ref  int32  // aMessage: index of the envelope; aControl: of the control; aStep, aTimer: process
	what what
	slot uint8 // aTimer: which; aStep: the kind of input
}

func (e *entry) before(o *entry) bool {
	return e.at < o.at || e.at == o.at && e.key < o.key
}

// agenda is a priority queue of entries. Most of what is scheduled comes in
// order already: steps of this instant, messages over links of one latency,
// timers of one length. Each sort of entry therefore has a run, a plain queue to
// which an entry is added when it is not before the last; what is goes to a
// heap. The first of all is the first of the runs' heads and the heap's.
type agenda struct {
	runs [whatCount]run
	heap heap
}

func (a *agenda) reset() {
	for i := range a.runs {
		a.runs[i].reset()
	}
	a.heap = a.heap[:0]
}

func (a *agenda) push(e entry) {
	if r := &a.runs[e.what]; r.fits(&e) {
		r.push(e)
	} else {
		a.heap.push(e)
	}
}

// pop takes the first entry out of an agenda that is not empty.
func (a *agenda) pop() entry {
	var first *entry
	var from *run
	if len(a.heap) > 0 {
		first = &a.heap[0]
	}
	for i := range a.runs {
		r := &a.runs[i]
		if r.head < len(r.list) && (first == nil || r.list[r.head].before(first)) {
			first, from = &r.list[r.head], r
		}
	}
	if from == nil {
		return a.heap.pop()
	}
	from.head++
	return *first
}

// run is a queue of entries in their order.
type run struct {
	list []entry
	head int // what lies before it is gone
}

func (r *run) reset() { r.list, r.head = r.list[:0], 0 }

func (r *run) fits(e *entry) bool {
	n := len(r.list)
	return r.head == n || !e.before(&r.list[n-1])
}

// push adds e. The room of what is gone is used again as soon as nothing is
// left, or when it is more than half.
func (r *run) push(e entry) {
	switch {
	case r.head == len(r.list):
		r.reset()
	case len(r.list) == cap(r.list) && 2*r.head > len(r.list):
		r.list = r.list[:copy(r.list, r.list[r.head:])]
		r.head = 0
	}
	r.list = append(r.list, e)
}

// heap is an implicit 4-ary min-heap: four children share a cache line and a
// half, so that a pop touches fewer lines than a binary heap's.
type heap []entry

func (hp *heap) push(e entry) {
	*hp = append(*hp, e)
	h := *hp
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

func (hp *heap) pop() entry {
	h := *hp
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*hp = h
	if len(h) > 0 {
		h.sink(last)
	}
	return top
}

// sink puts e where the root was and lets it down to its place.
func (h heap) sink(e entry) {
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
