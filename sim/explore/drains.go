package explore

import (
	"cmp"
	"slices"
)

// Drained is what was found about drains: from every state that was visited, once
// faults stop, an end is reachable, and no fair run stays away from it for ever.
type Drained struct {
	Edge       int    // states at the edge of the world: what would follow was not judged
	Beyond     int    // states from which an end is reachable, if at all, beyond the edge only
	Stuck      int    // states from which neither an end nor the edge is reachable
	FirstStuck *Trail // to the one that is reached with the fewest faults and steps; Hit is zero

	Judged bool   // fair runs were judged too: the model is Fair
	Fair   int    // parts of the graph in which a fair run goes round for ever, and no end is
	First  *Lasso // in the one that is reached with the fewest faults and steps
	Unfair int    // parts in which only unfair runs go round
	Doubts int    // parts that may be fair: no round was found in them that can be gone again
}

// Holds reports whether nothing was found against it. Beyond and Doubts say what was
// not judged.
func (d *Drained) Holds() bool { return d.Stuck == 0 && d.Fair == 0 }

// IsOpen reports whether nothing was found against it, and it was not judged from every
// state: an end was found from some beyond the edge only, or a part remains in doubt.
func (d *Drained) IsOpen() bool { return d.Holds() && d.Beyond+d.Doubts > 0 }

// Lasso is a run that never ends: a stem, and what follows again and again.
type Lasso struct {
	Faults      int // of the stem; the cycle has none
	Stem, Cycle []Action
}

// judgeDrains looks for states from which nothing leads to an end, and for fair runs
// that stay away from it.
func (s *search[S]) judgeDrains() *Drained {
	d := &Drained{}
	for k := range s.graph.looks {
		if s.graph.looks[k].outlook == Edge {
			d.Edge++
		}
	}
	toEnd, onward := s.graph.reach(End), s.graph.reach(End, Edge)
	first := int32(-1)
	for i := range onward {
		switch {
		case onward[i] && !toEnd[i]:
			d.Beyond++
		case !onward[i]:
			d.Stuck++
			if first < 0 || s.store.place(int32(i)) < s.store.place(first) {
				first = int32(i)
			}
		}
	}
	if first >= 0 {
		d.FirstStuck = &Trail{Faults: s.store.place(first).layer(), Actions: s.actions(first)}
	}
	if s.graph.isFair {
		s.judgeFair(d)
	}
	return d
}

// judgeFair looks for the parts of the graph in which a run can go round for ever.
func (s *search[S]) judgeFair(d *Drained) {
	f := s.graph.shaped(d.Edge == 0)
	d.Judged = true
	members := make(map[int32][]int32) // of the fair parts: their states
	var fair []int32
	for p := range f.parts {
		switch part := &f.parts[p]; {
		case part.isFair():
			fair = append(fair, int32(p))
			members[int32(p)] = nil
		case part.edges > 0:
			d.Unfair++
		}
	}
	for k, i := range s.graph.sources {
		if s.graph.looks[k].outlook == Open {
			if list, ok := members[f.part[f.node[i]]]; ok {
				members[f.part[f.node[i]]] = append(list, i)
			}
		}
	}
	byPlace := func(a, b int32) int { return cmp.Compare(s.store.place(a), s.store.place(b)) }
	for _, p := range fair {
		slices.SortStableFunc(members[p], byPlace)
	}
	slices.SortStableFunc(fair, func(a, b int32) int { return byPlace(members[a][0], members[b][0]) })
	for _, p := range fair {
		l := s.goRound(f, members[p])
		if l == nil {
			d.Doubts++
			continue
		}
		d.Fair++
		if d.First == nil {
			d.First = l
		}
	}
}

// A part that may be fair is tried from so many of its states, and from each with so
// many first steps.
const (
	triedStates = 16
	triedSteps  = 8
)

// goRound returns a fair run round the part with these states, best first, that can
// be gone again and again, or nil.
func (s *search[S]) goRound(f *shapes, states []int32) *Lasso {
	fair := asFair(s.model)
	for _, i := range states[:min(len(states), triedStates)] {
		n, tried := f.node[i], 0
		for e := f.start[n]; e < f.start[n+1] && tried < triedSteps; e++ {
			if !f.isInner(n, e) {
				continue
			}
			tried++
			stem := s.actions(i)
			if cycle, ok := s.follow(fair, stem, f, f.round(n, e)); ok && fair.Repeats(stem, cycle) {
				return &Lasso{Faults: s.store.place(i).layer(), Stem: stem, Cycle: cycle}
			}
		}
	}
	return nil
}

// round returns the edges of a fair way round from node n, which begins with edge e:
// the nearest one each time that takes a class which is enabled so far and was not
// taken, or comes to where it is not enabled; and then back.
func (f *shapes) round(n int32, e int64) []int64 {
	plan := []int64{e}
	at := f.to[e]
	due := f.enabled[n] & f.enabled[at] &^ (1 << f.classes[e])
	for due != 0 {
		for _, e := range f.nearest(at, func(e int64) bool { return due>>f.classes[e]&1 == 1 || due&^f.enabled[f.to[e]] != 0 }) {
			plan, at = append(plan, e), f.to[e]
			due = due & f.enabled[at] &^ (1 << f.classes[e])
		}
	}
	if at != n {
		plan = append(plan, f.nearest(at, func(e int64) bool { return f.to[e] == n })...)
	}
	return plan
}

// nearest returns the shortest way from node n, within its part, whose last edge is
// such.
func (f *shapes) nearest(n int32, such func(e int64) bool) []int64 {
	came := map[int32]int64{} // by node: the edge over which it was reached
	before := map[int64]int32{}
	for queue := []int32{n}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for e := f.start[at]; e < f.start[at+1]; e++ {
			if !f.isInner(at, e) {
				continue
			}
			if such(e) {
				path := []int64{e}
				for at != n {
					path = append(path, came[at])
					at = before[came[at]]
				}
				slices.Reverse(path)
				return path
			}
			if m := f.to[e]; m != n {
				if _, known := came[m]; !known {
					came[m], before[e] = e, at
					queue = append(queue, m)
				}
			}
		}
	}
	return nil
}

// follow finds the actions that go along the edges of plan from the end of stem.
func (s *search[S]) follow(fair Fair[S], stem []Action, f *shapes, plan []int64) (cycle []Action, ok bool) {
	state := s.model.Initial()
	for _, a := range stem {
		s.model.Apply(&state, a, nil)
	}
	for _, e := range plan {
		a, next, ok := s.along(fair.Class, &state, f.classes[e], func(to *S) bool {
			shape := f.shape[f.to[e]]
			if f.isExact {
				hash, record := s.record(to)
				return s.store.find(hash, record) == int32(shape)
			}
			return Fingerprint(fair.AppendShape(nil, to)) == shape
		})
		if !ok {
			return nil, false
		}
		cycle, state = append(cycle, a), next
	}
	return cycle, true
}

// along returns the first free action of a class that leads where it is to.
func (s *search[S]) along(classOf func(Action) uint8, state *S, class uint8, isThere func(*S) bool) (a Action, next S, ok bool) {
	for _, a := range s.model.Actions(state, nil) {
		if s.model.Cost(a) > 0 || classOf(a) != class {
			continue
		}
		next = *state
		s.model.Apply(&next, a, nil)
		if isThere(&next) {
			return a, next, true
		}
	}
	return 0, next, false
}
