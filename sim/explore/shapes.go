package explore

// shapes is the graph of the open states, in which all states of one shape are one
// node: what only counts up goes round in it. It has no ends, and no edges from states
// at the edge of the world; such a state is only where another of its shape goes on.
// Where no state is at the edge nothing was cut, and each state is a node of its own.
type shapes struct {
	isExact bool     // a node is a state
	node    []int32  // by state, -1: an end, or at the edge and unlike all that go on
	enabled []uint64 // by node: the classes that are enabled in every state of it
	shape   []uint64 // by node: the fingerprint of its shape, or the number of its state
	start   []int64  // by node: where its edges begin; one more than there are nodes
	to      []int32
	classes []uint8
	part    []int32 // by node: the strongly connected component
	parts   []part
}

// part is a strongly connected component.
type part struct {
	enabled uint64 // the classes that are enabled in all of it
	taken   uint64 // the classes of its inner edges
	edges   int    // inner ones: a part without is no cycle
}

// isFair reports whether a run may go round in the part for ever: whoever is enabled
// all the way acts in it. That is the justice of Lehmann, Pnueli and Stavi (ICALP
// 1981), also called weak fairness (Lamport, TOPLAS 1994; Spin's -f): a run that goes
// through all states and edges of the part is as fair as any in it can be, so that no
// part of it need be tried (Lichtenstein and Pnueli, POPL 1985).
func (p *part) isFair() bool { return p.edges > 0 && p.enabled&^p.taken == 0 }

// shaped folds the graph by shapes, unless it is to be exact, and finds its parts.
func (g *graph) shaped(isExact bool) *shapes {
	f := &shapes{isExact: isExact, node: make([]int32, len(g.sources))}
	known := map[uint64]int32{}
	for k, i := range g.sources {
		f.node[i] = -1
		if l := &g.looks[k]; l.outlook == Open {
			shape := l.shape
			if isExact {
				shape = uint64(i)
			}
			n, ok := known[shape]
			if !ok {
				n = int32(len(f.shape))
				known[shape] = n
				f.shape, f.enabled = append(f.shape, shape), append(f.enabled, ^uint64(0))
			}
			f.node[i] = n
			f.enabled[n] &= l.enabled
		}
	}
	for k, i := range g.sources {
		if n, ok := known[g.looks[k].shape]; ok && g.looks[k].outlook == Edge {
			f.node[i] = n
		}
	}
	f.connect(g)
	f.divide()
	return f
}

// connect lists the edges by node.
func (f *shapes) connect(g *graph) {
	f.start = make([]int64, len(f.shape)+2)
	f.each(g, func(n, _ int32, _ uint8) { f.start[n+2]++ })
	for i := 2; i < len(f.start); i++ {
		f.start[i] += f.start[i-1]
	}
	f.to, f.classes = make([]int32, f.start[len(f.shape)+1]), make([]uint8, f.start[len(f.shape)+1])
	f.each(g, func(n, m int32, class uint8) {
		f.to[f.start[n+1]], f.classes[f.start[n+1]] = m, class
		f.start[n+1]++
	})
	f.start = f.start[:len(f.shape)+1]
}

// each calls do with every edge between open states, in one order.
func (f *shapes) each(g *graph, do func(n, m int32, class uint8)) {
	for k, i := range g.sources {
		if g.looks[k].outlook != Open {
			continue
		}
		begin, end := g.edges(k)
		for e := begin; e < end; e++ {
			if m := f.node[g.to[e]]; m >= 0 {
				do(f.node[i], m, g.classes[e])
			}
		}
	}
}

// divide finds the strongly connected components (Tarjan 1972), with a stack of its
// own in place of recursion, and what matters of each.
func (f *shapes) divide() {
	t := tarjan{f: f, index: make([]int32, len(f.shape)), low: make([]int32, len(f.shape)), next: make([]int64, len(f.shape))}
	f.part = make([]int32, len(f.shape))
	for n := range f.part {
		f.part[n] = -1
	}
	for n := range f.shape {
		if t.index[n] == 0 {
			t.visit(int32(n))
		}
	}
	for n := range int32(len(f.shape)) {
		p := &f.parts[f.part[n]]
		p.enabled &= f.enabled[n]
		for e := f.start[n]; e < f.start[n+1]; e++ {
			if f.isInner(n, e) {
				p.edges++
				p.taken |= 1 << f.classes[e]
			}
		}
	}
}

func (f *shapes) isInner(n int32, e int64) bool { return f.part[f.to[e]] == f.part[n] }

// tarjan is the search for components while it goes on.
type tarjan struct {
	f          *shapes
	index, low []int32 // by node; index 0: not visited
	next       []int64 // by node: which of its edges is next
	count      int32
	calls      []int32 // nodes under way
	open       []int32 // nodes whose component is not known
}

func (t *tarjan) visit(n int32) {
	t.enter(n)
	for len(t.calls) > 0 {
		n := t.calls[len(t.calls)-1]
		if e := t.next[n]; e < t.f.start[n+1] {
			t.next[n]++
			if m := t.f.to[e]; t.index[m] == 0 {
				t.enter(m)
			} else if t.f.part[m] < 0 {
				t.low[n] = min(t.low[n], t.index[m])
			}
			continue
		}
		t.leave(n)
	}
}

func (t *tarjan) enter(n int32) {
	t.count++
	t.index[n], t.low[n], t.next[n] = t.count, t.count, t.f.start[n]
	t.calls, t.open = append(t.calls, n), append(t.open, n)
}

func (t *tarjan) leave(n int32) {
	t.calls = t.calls[:len(t.calls)-1]
	if len(t.calls) > 0 {
		up := t.calls[len(t.calls)-1]
		t.low[up] = min(t.low[up], t.low[n])
	}
	if t.low[n] != t.index[n] {
		return
	}
	for done := false; !done; {
		m := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.f.part[m] = int32(len(t.f.parts))
		done = m == n
	}
	t.f.parts = append(t.f.parts, part{enabled: ^uint64(0)})
}
