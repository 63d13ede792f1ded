package explore

import "slices"

// expander finds what follows from some states. It reads the store and changes
// nothing of it, so that several can be at work.
type expander[S any] struct {
	model   Model[S]
	ender   Ender[S] // nil where ends do not matter
	fair    Fair[S]  // nil where nobody says what is fair
	store   *store
	costs   bool // faults are still to be had
	all     bool // report transitions to known states too
	alone   bool // nobody else is at work: whoever enters the spawns looks them up
	cut     func(Hit) bool
	state   S
	next    S
	actions []Action
	hits    []Hit
	shape   []byte
	nap     *nap[S] // nil without sleep sets
	batch   batch
}

// batch is what one expander found, in order.
type batch struct {
	from   []int32 // the states that were expanded
	counts []int32 // by state: how many spawns
	looks  []look  // by state, where there is an Ender
	spawns []spawn
	bytes  []byte // the records of the spawns: see arena
	found  []found
	steps  int64    // transitions that were tried
	asleep []uint64 // by state: its sleep set then
	slept  int64    // transitions that were left out
}

// spawn is one transition, to a state that may be known.
type spawn struct {
	hash   uint64
	known  int32 // the number of the state, if it was looked up and found; else -1, or noNews
	at     uint32
	end    uint32 // its record in the batch
	choice uint16
	cost   uint8
	class  uint8  // of fairness, if it is free and somebody says so
	asleep uint64 // what is asleep there, on this way
}

// maxActions is how many a state may offer: which one was chosen is kept in 16 bits.
const maxActions = 1 << 16

// noNews stands for a state whose path is settled.
const noNews = -2

// found is one hit.
type found struct {
	hit    Hit
	parent int32
	action Action
	cost   uint8
}

// expand fills the batch with what follows from the states from.
func (e *expander[S]) expand(from []int32) {
	b := &e.batch
	*b = batch{
		from: from, counts: b.counts[:0], looks: b.looks[:0],
		spawns: b.spawns[:0], bytes: b.bytes[:0], found: b.found[:0], asleep: b.asleep[:0],
	}
	for _, i := range from {
		e.model.LoadState(e.store.bytes(i), &e.state)
		before := len(b.spawns)
		e.actions = e.model.Actions(&e.state, e.actions[:0])
		if len(e.actions) > maxActions {
			panic("explore: a state of the model offers more than 65,536 actions")
		}
		if e.nap != nil {
			b.asleep = append(b.asleep, e.nap.begin(i, &e.state, e.actions))
		}
		e.steps(i)
		b.counts = append(b.counts, int32(len(b.spawns)-before))
		if e.ender != nil {
			b.looks = append(b.looks, e.look())
		}
	}
	if !e.alone {
		e.lookUp()
	}
}

// cost returns what the model says an action costs, if that is a cost.
func (e *expander[S]) cost(a Action) uint8 {
	cost := e.model.Cost(a)
	if uint(cost) > 1 {
		panic("explore: an action of the model costs neither 0 faults nor 1")
	}
	return uint8(cost)
}

// atOnce is how many states are looked up at a time: the processor waits for the memory
// of all of these together.
const atOnce = 64

// lookUp finds out which of the spawns are known.
func (e *expander[S]) lookUp() {
	for spawns := e.batch.spawns; len(spawns) > 0; {
		some := spawns[:min(len(spawns), atOnce)]
		spawns = spawns[len(some):]
		e.store.fetch(some)
		for k := range some {
			s := &some[k]
			s.known = e.store.find(s.hash, e.batch.bytes[s.at:s.end])
			if s.known >= 0 && !e.all && e.store.isExpanded(s.known) {
				s.known = noNews
			}
		}
	}
}

// steps takes the transitions of the state at hand.
func (e *expander[S]) steps(parent int32) {
	b := &e.batch
	bytes, spawns := b.bytes, b.spawns
	for choice, a := range e.actions {
		cost := e.cost(a)
		if cost > 0 && !e.costs || !e.isAwake(choice) {
			continue
		}
		b.steps++
		e.next = e.state
		hits := e.model.Apply(&e.next, a, e.hits[:0])
		asleep := uint64(0)
		if e.nap != nil {
			asleep = e.nap.after(choice, &e.next)
		}
		if len(hits) > 0 && e.struck(found{parent: parent, action: a, cost: cost}, hits) {
			continue
		}
		at := len(bytes)
		bytes = e.model.AppendState(append(bytes, 0), &e.next)
		hash := Fingerprint(bytes[at+1:])
		bytes = measured(bytes, at)
		spawns = append(spawns, spawn{
			hash: hash, known: -1, at: uint32(at), end: uint32(len(bytes)),
			choice: uint16(choice), cost: cost, class: e.class(a, cost), asleep: asleep,
		})
	}
	b.bytes, b.spawns = bytes, spawns
}

// struck notes the hits of a step, and reports whether one of them ends the path.
func (e *expander[S]) struck(f found, hits []Hit) bool {
	e.hits = hits
	for _, h := range hits {
		f.hit = h
		e.batch.found = append(e.batch.found, f)
	}
	return e.cut != nil && slices.ContainsFunc(hits, e.cut)
}

func (e *expander[S]) class(a Action, cost uint8) uint8 {
	if e.fair == nil || cost > 0 {
		return 0
	}
	return e.fair.Class(a)
}

// look says of the state at hand what drains is judged by. Its actions are known.
func (e *expander[S]) look() (l look) {
	l.outlook = e.ender.Outlook(&e.state)
	if e.fair == nil {
		return l
	}
	for _, a := range e.actions {
		if e.model.Cost(a) == 0 {
			l.enabled |= 1 << e.fair.Class(a)
		}
	}
	e.shape = e.fair.AppendShape(e.shape[:0], &e.state)
	l.shape = Fingerprint(e.shape)
	return l
}
