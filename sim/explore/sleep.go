package explore

// Sleep sets (Godefroid, "Partial-Order Methods for the Verification of Concurrent
// Systems", LNCS 1032, 1996, chapters 5 and 6). Of two independent actions a and b, in
// this order, the way over b to a is left out: behind b, a is asleep, for what it leads to
// was reached over a already. So transitions are saved, and no state is lost.
//
// States that are met again: the sleep set of a state holds for the ways that came to it
// so far, and is what is asleep on all of them. A way on which less is asleep takes the
// others out of it; and if the state was expanded, what has woken is taken there now. This
// is what Godefroid's chapter 6 adds, and without it states are lost. When woken actions
// are taken, only what still sleeps, and what has woken before in the same go, can be
// asleep behind them: what was taken there earlier may have put them to sleep, and two
// that wait for each other are never taken.
//
// Faults and steps: both orders have as many of either, so that the first trail to
// anything still has the fewest faults and, breadth first, the fewest steps.
//
// States that are alike: where a step lets workers or jobs change places, what is asleep
// changes places with them (Model.Carry; Emerson, Jha and Peled, TACAS 1997). Where one
// actor goes first, nothing is asleep behind it, and it puts nothing to sleep.

// sleeps keeps the sleep sets of all states, as bits.
type sleeps struct {
	sets  column[uint64]
	taken column[uint64] // what was left out when the state was expanded; nothing before
	woken []int32        // states in which something has woken that was left out
}

// add enters a state that is new.
func (s *sleeps) add(asleep uint64) {
	s.sets.add(asleep)
	s.taken.add(0)
}

// meet notes that another way leads to state i.
func (s *sleeps) meet(i int32, asleep uint64) {
	*s.sets.at(i) &= asleep
	s.look(i)
}

// tried notes that state i was expanded but for what is in left.
func (s *sleeps) tried(i int32, left uint64) {
	*s.taken.at(i) = left
	s.look(i)
}

// look notes whether something has woken in state i.
func (s *sleeps) look(i int32) {
	if *s.taken.at(i)&^*s.sets.at(i) != 0 {
		s.woken = append(s.woken, i)
	}
}

func (s *sleeps) bytesKept() int64 {
	if s == nil {
		return 0
	}
	return 8 * (s.sets.room() + s.taken.room())
}

// nap is what one expander knows of the state at hand.
type nap[S any] struct {
	model  Sleeper[S]
	sleeps *sleeps
	prints []footprint // by choice
	rest   []footprint // of what is asleep, or was taken before
	asleep uint64
	only   uint64 // what is to be taken, if the state is expanded again
	again  bool
}

// footprint is what an action may touch.
type footprint struct {
	touches uint64
	bit     uint64 // as a set of one; 0: it never sleeps
}

// begin looks at the actions of state i, and returns what is asleep.
func (n *nap[S]) begin(i int32, state *S, actions []Action) uint64 {
	n.asleep = *n.sleeps.sets.at(i)
	n.prints, n.rest = n.prints[:0], n.rest[:0]
	if n.again = *n.sleeps.taken.at(i) != 0; n.again {
		n.only = *n.sleeps.taken.at(i) &^ n.asleep
	}
	for _, a := range actions {
		bit, touches := n.model.Footprint(state, a)
		p := footprint{touches: touches}
		if bit >= 0 {
			p.bit = 1 << bit
		}
		n.prints = append(n.prints, p)
		if p.bit&n.asleep != 0 {
			n.rest = append(n.rest, p)
		}
	}
	return n.asleep
}

// isAwake reports whether an action of the state at hand is to be taken.
func (e *expander[S]) isAwake(choice int) bool {
	n := e.nap
	if n == nil {
		return true
	}
	p := &n.prints[choice]
	switch {
	case n.again:
		if p.bit&n.only != 0 {
			e.batch.slept--
		}
		return p.bit&n.only != 0
	case p.bit&n.asleep != 0:
		e.batch.slept++
		return false
	}
	return true
}

// after returns what is asleep in the state to which an action leads, and lets it sleep
// behind those that follow.
func (n *nap[S]) after(choice int, to *S) uint64 {
	p := n.prints[choice]
	asleep := uint64(0)
	for _, r := range n.rest {
		if r.touches&p.touches == 0 {
			asleep |= r.bit
		}
	}
	kept, alone := n.model.Carry(to, asleep)
	if alone {
		return 0
	}
	if p.bit != 0 {
		n.rest = append(n.rest, p)
	}
	return kept
}

// wake takes what has woken in states that were expanded before.
func (s *search[S]) wake() {
	e := s.cores[0]
	costs, alone := e.costs, e.alone
	e.alone = true
	for len(s.sleeps.woken) > 0 && s.ending == Exhausted {
		i := s.sleeps.woken[0]
		s.sleeps.woken = s.sleeps.woken[1:]
		if *s.sleeps.taken.at(i)&^*s.sleeps.sets.at(i) == 0 {
			continue
		}
		e.costs = s.store.place(i).layer() < s.o.Faults
		e.expand([]int32{i})
		if s.fork != nil && len(s.forks) > 1 {
			s.fork.Join(s.forks)
		}
		b := &e.batch
		s.steps, s.slept = s.steps+b.steps, s.slept+b.slept
		for k := range b.found {
			s.hit(&b.found[k])
		}
		s.sleeps.tried(i, b.asleep[0])
		s.enter(b, i, b.spawns)
	}
	e.costs, e.alone = costs, alone
}

// notBehind returns p, or the next place that the search comes to if it is past p. It
// should not be: what has woken leads where another order led already, with as few faults
// and steps. But a state must not be lost if it does.
func (s *search[S]) notBehind(p place) place {
	switch {
	case p.layer() < s.layer:
		return newPlace(s.layer, max(p.depth(), s.depth+1))
	case p.layer() == s.layer && !s.o.DepthFirst:
		return newPlace(s.layer, max(p.depth(), s.depth+1))
	}
	return p
}
