package explore

// graph keeps the free transitions, so that the states can be found from which an
// end is reachable. A nil graph keeps nothing.
type graph struct {
	sources []int32 // in the order of expansion
	start   []int64 // by source: where its edges begin
	to      []int32
	ends    []int32 // the states that are ends
}

// source says that the edges that follow leave state i.
func (g *graph) source(i int32, isEnd bool) {
	g.sources = append(g.sources, i)
	g.start = append(g.start, int64(len(g.to)))
	if isEnd {
		g.ends = append(g.ends, i)
	}
}

func (g *graph) edge(to int32) { g.to = append(g.to, to) }

func (g *graph) bytesKept() int64 {
	if g == nil {
		return 0
	}
	return int64(cap(g.sources))*4 + int64(cap(g.start))*8 + int64(cap(g.to))*4 + int64(cap(g.ends))*4
}

// reachEnds returns, by state, whether an end is reachable from it: backwards from
// the ends, along the edges turned round.
func (g *graph) reachEnds() []bool {
	first, from := g.turned()
	reaches := make([]bool, len(g.sources))
	queue := append([]int32(nil), g.ends...)
	for _, i := range queue {
		reaches[i] = true
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, p := range from[first[i]:first[i+1]] {
			if !reaches[p] {
				reaches[p] = true
				queue = append(queue, p)
			}
		}
	}
	return reaches
}

// turned returns for each state the states that have an edge to it: those of i are
// from[first[i]:first[i+1]].
func (g *graph) turned() (first []int64, from []int32) {
	first = make([]int64, len(g.sources)+2)
	for _, to := range g.to {
		first[to+2]++
	}
	for i := 2; i < len(first); i++ {
		first[i] += first[i-1]
	}
	from = make([]int32, len(g.to))
	for k, i := range g.sources {
		end := int64(len(g.to))
		if k+1 < len(g.start) {
			end = g.start[k+1]
		}
		for _, to := range g.to[g.start[k]:end] {
			from[first[to+1]] = i
			first[to+1]++
		}
	}
	return first[:len(first)-1], from
}
