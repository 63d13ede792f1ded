package explore

import (
	"cmp"
	"slices"
)

// result gathers what the search came to.
func (s *search[S]) result() *Result {
	r := &Result{
		Ending: s.ending, States: s.store.len(), Transitions: s.steps, Slept: s.slept, Compact: s.o.Compact,
		Bytes: s.store.bytesKept() + s.graph.bytesKept() + s.sleeps.bytesKept(),
	}
	for i := range int32(s.store.len()) {
		at := s.store.place(i)
		for len(r.Layers) <= at.layer() {
			r.Layers = append(r.Layers, Layer{})
		}
		l := &r.Layers[at.layer()]
		l.States++
		l.Depth = max(l.Depth, at.depth())
		r.Depth = max(r.Depth, l.Depth)
	}
	if (s.ending == Full || s.ending == Interrupted) && !s.isTorn {
		r.save = s.write
	}
	for i := range s.hits {
		r.Found = append(r.Found, s.trail(&s.hits[i]))
	}
	slices.SortStableFunc(r.Found, func(a, b Trail) int {
		return cmp.Or(cmp.Compare(a.Faults, b.Faults), cmp.Compare(len(a.Actions), len(b.Actions)))
	})
	if s.graph != nil && s.ending == Exhausted {
		r.Drained = s.judgeDrains()
	}
	return r
}

// trail returns the path to a hit. The path to its parent may have become better
// since the hit was found, and is never worse.
func (s *search[S]) trail(b *best) Trail {
	return Trail{
		Hit: b.hit, Faults: s.store.place(b.parent).layer() + int(b.cost),
		Actions: append(s.actions(b.parent), b.action),
	}
}

// actions returns the actions that lead to state i: its path is walked again, for
// the store knows which of the actions they were, and not what they are. A path of
// a saved search that somebody forged ends where there is no such action.
func (s *search[S]) actions(i int32) (path []Action) {
	state := s.model.Initial()
	var list []Action
	for _, choice := range s.store.path(i) {
		list = s.model.Actions(&state, list[:0])
		if int(choice) >= len(list) {
			return path
		}
		path = append(path, list[choice])
		s.model.Apply(&state, list[choice], nil)
	}
	return path
}
