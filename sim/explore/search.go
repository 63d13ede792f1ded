package explore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Run explores m within the bounds of o. The error says why o cannot be served.
func Run[S any](m Model[S], o Options) (*Result, error) {
	if o.Faults < 0 || o.Faults > maxFaults {
		return nil, fmt.Errorf("at most %d faults: it must be from 0 to %d", o.Faults, maxFaults)
	}
	s := &search[S]{model: m, o: o, store: newStore(o.Compact), best: map[Hit]int{}}
	s.o.MaxBytes = cmp.Or(o.MaxBytes, defaultMaxBytes)
	if err := s.prepare(); err != nil {
		return nil, err
	}
	if o.Resume == nil {
		s.begin()
	} else if err := s.read(o.Resume); err != nil {
		return nil, err
	}
	s.run()
	return s.result(), nil
}

const maxFaults = 200

// batchSize is how many states one core expands between two merges.
const batchSize = 32

// search is one search while it goes on.
type search[S any] struct {
	model Model[S]
	fork  Forker[S]  // nil: one core
	forks []Model[S] // parallel to cores
	cores []*expander[S]
	o     Options
	store *store
	graph *graph // nil unless drains are judged

	layer int
	depth int
	waits [][]line // by layer and depth: states to be expanded; some were reached better since
	list  []int32  // at hand
	queue int      // how many wait
	steps int64

	sleeps *sleeps // nil without sleep sets
	slept  int64   // transitions that were left out

	best   map[Hit]int // looked up: where in hits
	hits   []best
	ending Ending
	isTorn bool // it ended within a batch, and cannot go on
}

// best is the best trail that is known to a hit.
type best struct {
	found
	layer int
	steps int
}

// prepare makes the expanders.
func (s *search[S]) prepare() error {
	n := max(1, s.o.Cores)
	s.fork, _ = s.model.(Forker[S])
	if s.fork == nil || s.o.DepthFirst { // a step of one state is too short to be shared
		n = 1
	}
	if s.o.Drains {
		if _, ok := s.model.(Ender[S]); !ok || s.o.DepthFirst {
			return errors.New("drains is judged breadth first, of a model that knows its ends")
		}
		_, isFair := s.model.(Fair[S])
		s.graph = &graph{isFair: isFair}
	}
	if s.o.Sleep {
		if _, ok := s.model.(Sleeper[S]); !ok || s.o.Compact || s.o.Drains {
			return errors.New("sleep sets need a model that knows what is independent, all states in full, and not every transition: neither the compact mode nor drains")
		}
		s.sleeps = &sleeps{}
	}
	for range n {
		m := s.model
		if n > 1 {
			m = s.fork.Fork()
		}
		s.forks = append(s.forks, m)
		e := &expander[S]{model: m, store: s.store, all: s.graph != nil || s.o.Sleep, alone: n == 1, cut: s.o.Cut}
		if s.o.Drains {
			e.ender, e.fair = m.(Ender[S]), asFair(m)
		}
		if s.o.Sleep {
			e.nap = &nap[S]{model: m.(Sleeper[S]), sleeps: s.sleeps}
		}
		s.cores = append(s.cores, e)
	}
	return nil
}

func asFair[S any](m Model[S]) Fair[S] {
	f, _ := m.(Fair[S])
	return f
}

// begin enters the initial state.
func (s *search[S]) begin() {
	first := s.model.Initial()
	hash, record := s.record(&first)
	if s.sleeps != nil {
		s.sleeps.add(0)
	}
	s.await(s.store.add(hash, record, -1, 0, 0), 0)
}

// record returns the record of a state, and the fingerprint of its bytes.
func (s *search[S]) record(state *S) (hash uint64, record []byte) {
	b := s.model.AppendState([]byte{0}, state)
	return Fingerprint(b[1:]), measured(b, 0)
}

// await puts state i, which is at p, among those that are to be expanded.
func (s *search[S]) await(i int32, p place) {
	layer := p.layer()
	for len(s.waits) <= layer {
		s.waits = append(s.waits, nil)
	}
	at := 0 // depth first, one stack is all
	if !s.o.DepthFirst {
		at = p.depth()
	}
	for len(s.waits[layer]) <= at {
		s.waits[layer] = append(s.waits[layer], line{})
	}
	s.waits[layer][at].push(i)
	s.queue++
}

// run visits the layers one after the other.
func (s *search[S]) run() {
	for ; s.layer < len(s.waits); s.layer++ {
		for _, e := range s.cores {
			e.costs = s.layer < s.o.Faults
		}
		if s.o.DepthFirst {
			s.downLayer()
		} else {
			s.acrossLayer()
		}
		if s.ending != Exhausted {
			return
		}
		s.waits[s.layer] = nil
	}
}

// acrossLayer visits a layer by depth.
func (s *search[S]) acrossLayer() {
	for s.depth = 0; s.depth < len(s.waits[s.layer]); s.depth++ {
		due := s.waits[s.layer][s.depth]
		for !due.isEmpty() {
			s.visit(s.next(&due))
			s.waits[s.layer][s.depth] = due
			if s.ending != Exhausted {
				return
			}
			s.checkpoint()
		}
		s.waits[s.layer][s.depth] = line{}
		if s.isStopped() {
			return
		}
	}
}

// checkpoint offers to save the search as it stands.
func (s *search[S]) checkpoint() {
	if s.o.Checkpoint != nil {
		s.o.Checkpoint(s.write)
	}
}

// next returns the next states of due to be expanded. It drops what was reached by a
// better path since it was put there.
func (s *search[S]) next(due *line) []int32 {
	s.list = s.list[:0]
	for !due.isEmpty() && len(s.list) < batchSize*len(s.cores) {
		i := due.shift()
		if s.store.place(i) == newPlace(s.layer, s.depth) {
			s.list = append(s.list, i)
		} else {
			s.queue--
		}
	}
	return s.list
}

// downLayer visits a layer with a stack. What is first in a state's order of
// actions is visited first.
func (s *search[S]) downLayer() {
	for !s.waits[s.layer][0].isEmpty() {
		i := s.waits[s.layer][0].pop()
		at := s.store.place(i)
		s.depth = at.depth()
		if at.isExpanded() || at.layer() != s.layer {
			s.queue--
			continue
		}
		s.list = append(s.list[:0], i)
		if s.visit(s.list); s.ending != Exhausted || s.isStopped() {
			return
		}
		s.checkpoint()
	}
}

// visit expands the states of list, and enters what is found.
func (s *search[S]) visit(list []int32) {
	if len(s.cores) == 1 {
		s.cores[0].expand(list)
	} else {
		s.share(list)
	}
	for _, e := range s.cores {
		s.merge(&e.batch)
	}
	if s.sleeps != nil {
		s.wake()
	}
	s.watch()
}

// share expands the states of list on several cores.
func (s *search[S]) share(list []int32) {
	part := (len(list) + len(s.cores) - 1) / len(s.cores)
	each(len(s.cores), func(i int) {
		from := min(len(list), i*part)
		s.cores[i].expand(list[from:min(len(list), from+part)])
	})
	s.fork.Join(s.forks)
}

// merge enters what one core found. The bytes of expanded states may go only when
// all its spawns are entered.
func (s *search[S]) merge(b *batch) {
	if len(s.cores) == 1 {
		s.store.fetch(b.spawns)
	}
	s.steps += b.steps
	s.slept += b.slept
	s.queue -= len(b.from)
	for i := range b.found {
		s.hit(&b.found[i])
	}
	spawns := b.spawns
	for k, i := range b.from {
		mine := spawns[:b.counts[k]]
		spawns = spawns[b.counts[k]:]
		if s.graph != nil {
			s.graph.source(i, b.looks[k])
		}
		s.enter(b, i, mine)
		s.store.expanded(i)
		if s.sleeps != nil {
			s.sleeps.tried(i, b.asleep[k])
		}
	}
}

// enter enters the successors of state parent.
func (s *search[S]) enter(b *batch, parent int32, spawns []spawn) {
	if s.o.DepthFirst {
		slices.Reverse(spawns)
	}
	from := s.store.place(parent)
	if from.depth() == maxDepth && len(spawns) > 0 {
		s.ending, s.isTorn = Full, true
		return
	}
	next := [2]place{s.after(from, 0), s.after(from, 1)}
	for j := range spawns {
		sp := &spawns[j]
		if sp.known == noNews {
			continue
		}
		to, p := sp.known, next[sp.cost]
		if to < 0 {
			to = s.store.find(sp.hash, b.bytes[sp.at:sp.end])
		}
		switch {
		case to < 0:
			to = s.store.add(sp.hash, b.bytes[sp.at:sp.end], parent, sp.choice, p)
			if s.sleeps != nil {
				s.sleeps.add(sp.asleep)
			}
			s.await(to, p)
		case s.store.improve(to, parent, sp.choice, p):
			s.await(to, p)
		}
		if s.sleeps != nil {
			s.sleeps.meet(to, sp.asleep)
		}
		if s.graph != nil && sp.cost == 0 {
			s.graph.edge(to, sp.class)
		}
	}
}

// after returns the place one step of that cost behind another.
func (s *search[S]) after(from place, cost int) place {
	p := newPlace(from.layer()+cost, from.depth()+1)
	if s.sleeps != nil {
		p = s.notBehind(p)
	}
	return p
}

// hit notes f if nothing as good is known.
func (s *search[S]) hit(f *found) {
	at := s.store.place(f.parent)
	b := best{*f, at.layer() + int(f.cost), at.depth() + 1}
	i, known := s.best[f.hit]
	switch {
	case !known:
		s.best[f.hit] = len(s.hits)
		s.hits = append(s.hits, b)
	case b.before(s.hits[i]):
		s.hits[i] = b
	}
}

func (b best) before(c best) bool {
	return b.layer < c.layer || b.layer == c.layer && b.steps < c.steps
}

// isStopped reports whether a hit that ends the search was found, and none that is
// better can be found any more.
func (s *search[S]) isStopped() bool {
	if s.o.Stop == nil {
		return false
	}
	for i := range s.hits {
		b := &s.hits[i]
		isFinal := b.layer < s.layer || b.layer == s.layer && (b.steps <= s.depth+1 || s.o.DepthFirst)
		if isFinal && s.o.Stop(b.hit) {
			s.ending = Stopped
			return true
		}
	}
	return false
}

// watch looks at the limits, and tells how far the search is.
func (s *search[S]) watch() {
	kept := s.store.bytesKept() + s.graph.bytesKept() + s.sleeps.bytesKept()
	if kept > s.o.MaxBytes || s.o.MaxStates > 0 && s.store.len() > s.o.MaxStates {
		s.ending = Full
		return
	}
	if s.o.Progress == nil {
		return
	}
	if !s.o.Progress(Progress{s.store.len(), s.steps, s.layer, s.depth, s.queue, kept}) {
		s.ending = Interrupted
	}
}
