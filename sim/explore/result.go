package explore

import (
	"cmp"
	"slices"
)

// result gathers what the search came to.
func (s *search[S]) result() *Result {
	r := &Result{
		Ending: s.ending, States: s.store.len(), Transitions: s.steps, Compact: s.o.Compact,
		Bytes: s.store.bytesKept() + s.graph.bytesKept(),
	}
	for i, layer := range s.store.layers {
		for len(r.Layers) <= int(layer) {
			r.Layers = append(r.Layers, Layer{})
		}
		l := &r.Layers[layer]
		l.States++
		l.Depth = max(l.Depth, int(s.store.depth(int32(i))))
		r.Depth = max(r.Depth, l.Depth)
	}
	for i := range s.hits {
		r.Found = append(r.Found, s.trail(&s.hits[i]))
	}
	slices.SortStableFunc(r.Found, func(a, b Trail) int {
		return cmp.Or(cmp.Compare(a.Faults, b.Faults), cmp.Compare(len(a.Actions), len(b.Actions)))
	})
	if s.graph != nil && s.ending == Exhausted {
		s.judgeDrains(r)
	}
	return r
}

// trail returns the path to a hit. The path to its parent may have become better
// since the hit was found, and is never worse.
func (s *search[S]) trail(b *best) Trail {
	return Trail{
		Hit: b.hit, Faults: int(s.store.layers[b.parent]) + int(b.cost),
		Actions: append(s.store.path(b.parent), b.action),
	}
}

// judgeDrains counts the states from which no end is reachable without a fault.
func (s *search[S]) judgeDrains(r *Result) {
	first := int32(-1)
	for i, reaches := range s.graph.reachEnds() {
		if reaches {
			continue
		}
		i := int32(i)
		r.Stuck++
		if first < 0 || s.store.layers[i] < s.store.layers[first] ||
			s.store.layers[i] == s.store.layers[first] && s.store.depth(i) < s.store.depth(first) {
			first = i
		}
	}
	if first >= 0 {
		r.FirstStuck = &Trail{Faults: int(s.store.layers[first]), Actions: s.store.path(first)}
	}
}
