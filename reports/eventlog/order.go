package eventlog

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/ackgap/ackgap/model"
)

// sorter puts events back into their order as far as its window reaches, and hands
// each on once. What it cannot mend, it notes as a doubt.
type sorter interface {
	take(r *record) error
	flush() error
}

// waiting are the events that came before their turn, the next one first.
type waiting struct {
	items []*record
	less  func(a, b *record) int
}

func (w *waiting) Len() int           { return len(w.items) }
func (w *waiting) Less(i, k int) bool { return w.less(w.items[i], w.items[k]) < 0 }
func (w *waiting) Swap(i, k int)      { w.items[i], w.items[k] = w.items[k], w.items[i] }
func (w *waiting) Push(x any)         { w.items = append(w.items, x.(*record)) }

func (w *waiting) Pop() any {
	last := len(w.items) - 1
	r := w.items[last]
	w.items[last], w.items = nil, w.items[:last]
	return r
}

// add keeps a copy of r, whose bytes are the reader's.
func (w *waiting) add(r *record) {
	own := *r
	own.keep()
	heap.Push(w, &own)
}

func (w *waiting) next() *record { return heap.Pop(w).(*record) }

// numbered sorts by seq, which must go up by one.
type numbered struct {
	waiting
	window int
	due    int64 // the seq that is next
	passed []passed
	doubts *doubts
	emit   func(*record) error
}

// passed is one of the last events that were handed on.
type passed struct {
	seq  int64
	hash uint64
}

func newNumbered(window int, d *doubts, emit func(*record) error) *numbered {
	return &numbered{
		waiting: waiting{less: func(a, b *record) int { return cmp.Compare(a.seq, b.seq) }},
		window:  window, due: 1, passed: make([]passed, window), doubts: d, emit: emit,
	}
}

func (n *numbered) take(r *record) error {
	if r.seq > n.due {
		n.add(r)
		if n.Len() <= n.window {
			return nil
		}
		return n.drain(true)
	}
	if err := n.pass(r); err != nil {
		return err
	}
	return n.drain(false)
}

// pass hands r on if it is due, or else compares it with the one that was.
func (n *numbered) pass(r *record) error {
	slot := &n.passed[r.seq%int64(n.window)]
	if r.seq == n.due {
		*slot = passed{r.seq, r.hash}
		n.due++
		return n.emit(r)
	}
	switch {
	case slot.seq == r.seq && slot.hash == r.hash:
		n.doubts.repeats++
	case slot.seq == r.seq:
		n.doubts.note(contradiction, r.line)
	case n.doubts.isMissing(r.seq):
		n.doubts.note(lateEvent, r.line)
	default:
		n.doubts.note(oldRepeat, r.line)
	}
	return nil
}

// drain hands on what is due by now. With give up, what has not come for the length
// of the window is missing.
func (n *numbered) drain(giveUp bool) error {
	for n.Len() > 0 {
		if first := n.items[0].seq; first > n.due {
			if !giveUp {
				return nil
			}
			n.doubts.miss(n.due, first-1)
			n.due, giveUp = first, false
		}
		if err := n.pass(n.next()); err != nil {
			return err
		}
	}
	return nil
}

func (n *numbered) flush() error {
	for n.Len() > 0 {
		if err := n.drain(true); err != nil {
			return err
		}
	}
	return nil
}

// timed sorts by time, and by the place in the file where times are equal.
type timed struct {
	waiting
	window int
	last   model.Time // of the event handed on last
	any    bool
	seen   map[uint64]uint64 // what makes an event known again -> its bytes' hash
	recent []uint64          // the keys of seen, a ring
	at     int
	doubts *doubts
	emit   func(*record) error
}

func newTimed(window int, d *doubts, emit func(*record) error) *timed {
	return &timed{
		waiting: waiting{less: func(a, b *record) int {
			return cmp.Or(cmp.Compare(a.event.At, b.event.At), cmp.Compare(a.ord, b.ord))
		}},
		window: window, seen: make(map[uint64]uint64), doubts: d, emit: emit,
	}
}

func (t *timed) take(r *record) error {
	if t.isRepeat(r) {
		return nil
	}
	t.add(r)
	if t.Len() <= t.window {
		return nil
	}
	return t.pass()
}

// isRepeat reports whether r is one of the last events once more. Without an event id
// two equal lines may as well be two events: that is noted.
func (t *timed) isRepeat(r *record) bool {
	key := r.hash
	if len(r.label) > 0 {
		key = hashOf(r.label)
	}
	hash, seen := t.seen[key]
	switch {
	case !seen:
		t.remember(key, r.hash)
	case hash != r.hash:
		t.doubts.note(contradiction, r.line)
	case len(r.label) == 0:
		t.doubts.note(twin, r.line)
	default:
		t.doubts.repeats++
	}
	return seen
}

func (t *timed) remember(key, hash uint64) {
	t.seen[key] = hash
	if len(t.recent) < 2*t.window {
		t.recent = append(t.recent, key)
		return
	}
	delete(t.seen, t.recent[t.at])
	t.recent[t.at] = key
	t.at = (t.at + 1) % len(t.recent)
}

func (t *timed) pass() error {
	r := t.next()
	if t.any && r.event.At < t.last {
		t.doubts.note(lateEvent, r.line)
		return nil
	}
	t.last, t.any = r.event.At, true
	return t.emit(r)
}

func (t *timed) flush() error {
	for t.Len() > 0 {
		if err := t.pass(); err != nil {
			return err
		}
	}
	return nil
}

// hashOf hashes the bytes of a line or a name: eight at a time, so that it costs less
// than reading them did.
func hashOf(b []byte) uint64 {
	h := uint64(len(b))
	for chunk := range slices.Chunk(b, 8) {
		word := uint64(0)
		for i, c := range chunk {
			word |= uint64(c) << (8 * i)
		}
		h = model.Mix(h ^ word)
	}
	return h
}
