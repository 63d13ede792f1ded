package explore

import (
	"errors"
	"slices"
)

// What a file says of a search may be wrong though its checksum is right: it was written
// by another program. Nothing that is taken up points to what is not there, and no path
// goes round. What the bytes of a state mean is the model's to know, and is believed.

var errNoSense = errors.New("it makes no sense")

// check looks at what was read, before anything is made of it.
func (s *search[S]) check() error {
	for i := range int32(s.store.len()) {
		if !s.isPlaced(i) {
			return errNoSense
		}
	}
	isFit := s.store.len() > 0 && s.areWaiting() && (s.graph == nil || s.isDrawn())
	if !isFit || slices.ContainsFunc(s.hits, func(b best) bool { return !s.isHit(&b) }) {
		return errNoSense
	}
	return nil
}

// isPlaced reports whether state i has a way to it: it stands one step behind its parent.
func (s *search[S]) isPlaced(i int32) bool {
	parent, p := *s.store.parents.at(i), s.store.place(i)
	switch {
	case p.layer() > s.o.Faults || int(parent) >= s.store.len() || parent < -1:
		return false
	case parent == -1:
		return i == 0 && p.depth() == 0 && p.layer() == 0
	}
	from := s.store.place(parent)
	return from.isExpanded() && from.layer() <= p.layer() && from.depth()+1 == p.depth()
}

// areWaiting reports whether all that waits is there, and all that was not expanded waits
// where the search will come by.
func (s *search[S]) areWaiting() bool {
	n, waits := 0, make([]bool, s.store.len())
	for layer, depths := range s.waits {
		for depth, l := range depths {
			for _, r := range l.runs {
				if r.first < 0 || r.first >= r.end || int(r.end) > s.store.len() {
					return false
				}
				n += int(r.end - r.first)
				for i := r.first; i < r.end; i++ {
					at := s.store.place(i)
					waits[i] = waits[i] || layer >= s.layer && at.layer() == layer && (s.o.DepthFirst || at.depth() == depth)
				}
			}
		}
		if s.o.DepthFirst && len(depths) > 1 {
			return false
		}
	}
	for i := range waits {
		if !waits[i] && !s.store.place(int32(i)).isExpanded() {
			return false
		}
	}
	return n == s.queue && s.layer >= 0 && len(s.waits) <= s.o.Faults+1
}

// isHit reports whether the action of a hit can be taken where it was.
func (s *search[S]) isHit(b *best) bool {
	if b.parent < 0 || int(b.parent) >= s.store.len() {
		return false
	}
	state := s.model.Initial()
	list := s.model.Actions(&state, nil)
	for _, choice := range s.store.path(b.parent) {
		if int(choice) >= len(list) {
			return false
		}
		s.model.Apply(&state, list[choice], nil)
		list = s.model.Actions(&state, list[:0])
	}
	return slices.Contains(list, b.action)
}

// isDrawn reports whether the states that were expanded, and they alone, have their
// edges in the graph, each once.
func (s *search[S]) isDrawn() bool {
	drawn, expanded := make([]bool, s.store.len()), 0
	for i := range drawn {
		if s.store.place(int32(i)).isExpanded() {
			expanded++
		}
	}
	for _, i := range s.graph.sources {
		if i < 0 || int(i) >= len(drawn) || drawn[i] || !s.store.place(i).isExpanded() {
			return false
		}
		drawn[i] = true
	}
	beyond := func(to int32) bool { return to < 0 || int(to) >= len(drawn) }
	return expanded == len(s.graph.sources) && !slices.ContainsFunc(s.graph.to, beyond)
}
