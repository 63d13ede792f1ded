package faults

import "slices"

// Trials asks questions that cost a run each: no question twice, and no more
// than Limit in all. The key of a question is its caller's: questions of one key
// have one answer. The zero Trials may ask nothing; set Limit.
type Trials[K comparable] struct {
	Limit int // how many runs there may be
	Runs  int // how many there were

	known map[K]bool
	cut   bool
}

// Try returns the answer to the question key, which run finds out unless it is
// known. A question beyond the limit is not asked, and its answer is false: what
// was not seen to fail does not count as failing.
func (t *Trials[K]) Try(key K, run func() bool) bool {
	if answer, ok := t.known[key]; ok {
		return answer
	}
	if t.Runs >= t.Limit {
		t.cut = true
		return false
	}
	if t.known == nil {
		t.known = map[K]bool{}
	}
	t.Runs++
	answer := run()
	t.known[key] = answer
	return answer
}

// Cut reports whether a question was left unasked because of the limit.
func (t *Trials[K]) Cut() bool { return t.cut }

// Minimise returns the part of list, in its order, that is left when nothing more
// can go: fails still holds of it, and of it without any one or (where at most
// maxPaired are left) any two items no more. It is a local minimum: a smaller part may fail that is not reached by such
// steps. Fails must hold of list itself, be a function of its argument, and not
// change it. Once stop says so, what was reached by then is returned.
//
// First all goes at once, for many a failure needs nothing of the list. Then parts
// go, the large ones first: delta debugging (Zeller and Hildebrandt, "Simplifying
// and Isolating Failure-Inducing Input", TSE 2002) of complements alone, where the
// complement of a half is the subset that the paper also tries. Pairs come last,
// because two faults may outweigh each other: a worker that is dead cannot be
// missed by a message that is lost.
func Minimise[T any](list []T, fails func([]T) bool, stop func() bool) []T {
	m := minimiser[T]{list, fails, stop}
	if len(list) == 0 || m.drop(0, len(list)) {
		return m.list
	}
	for size := len(list) / 2; size > 1; size /= 2 {
		m.pass(size)
	}
	m.singles()
	for m.pair() {
		m.singles()
	}
	return m.list
}

type minimiser[T any] struct {
	list  []T
	fails func([]T) bool
	stop  func() bool
}

// singles leaves nothing that can go alone: what stands before an item that has
// gone may go now.
func (m *minimiser[T]) singles() {
	for m.pass(1) {
	}
}

// pass tries each run of size items once and reports whether one could go.
func (m *minimiser[T]) pass(size int) bool {
	before := len(m.list)
	for at := 0; at < len(m.list) && !m.stop(); {
		if !m.drop(at, min(at+size, len(m.list))) {
			at += size
		}
	}
	return len(m.list) < before
}

// maxPaired is how many items there may be for pairs of them to be tried: beyond,
// the pairs would take more runs than all else.
const maxPaired = 24

// pair lets the first two items go that can go together.
func (m *minimiser[T]) pair() bool {
	if len(m.list) > maxPaired {
		return false
	}
	for i := range m.list {
		for j := i + 1; j < len(m.list) && !m.stop(); j++ {
			if m.keep(slices.Concat(m.list[:i], m.list[i+1:j], m.list[j+1:])) {
				return true
			}
		}
	}
	return false
}

// drop lets the items from..to-1 go if the rest still fails.
func (m *minimiser[T]) drop(from, to int) bool {
	return m.keep(slices.Concat(m.list[:from], m.list[to:]))
}

func (m *minimiser[T]) keep(rest []T) bool {
	if m.stop() || !m.fails(rest) {
		return false
	}
	m.list = rest
	return true
}
