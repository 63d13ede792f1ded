package explore

// graph keeps the free transitions, so that drains can be judged. A nil graph keeps
// nothing.
type graph struct {
	isFair  bool    // the model says what is fair
	sources []int32 // in the order of expansion
	looks   []look  // by source
	start   []int64 // by source: where its edges begin
	to      []int32
	classes []uint8 // by edge, where the model says what is fair
}

// look is what drains is judged by in one state.
type look struct {
	enabled uint64 // the classes of its free actions, as bits
	shape   uint64 // the fingerprint of its shape
	outlook Outlook
}

// source says that the edges that follow leave state i.
func (g *graph) source(i int32, l look) {
	g.sources = append(g.sources, i)
	g.looks = append(g.looks, l)
	g.start = append(g.start, int64(len(g.to)))
}

func (g *graph) edge(to int32, class uint8) {
	g.to = append(g.to, to)
	if g.isFair {
		g.classes = append(g.classes, class)
	}
}

func (g *graph) bytesKept() int64 {
	if g == nil {
		return 0
	}
	return int64(cap(g.sources))*4 + int64(cap(g.looks))*24 + int64(cap(g.start))*8 + int64(cap(g.to))*4 + int64(cap(g.classes))
}

// edges returns where the edges of the kth source begin and end.
func (g *graph) edges(k int) (from, end int64) {
	if k+1 < len(g.start) {
		return g.start[k], g.start[k+1]
	}
	return g.start[k], int64(len(g.to))
}

// reach returns, by state, whether a state of one of the outlooks is reachable from
// it: backwards from those, along the edges turned round.
func (g *graph) reach(outlooks ...Outlook) []bool {
	first, from := g.turned()
	reaches := make([]bool, len(g.sources))
	var queue []int32
	for k, i := range g.sources {
		for _, o := range outlooks {
			if g.looks[k].outlook == o {
				queue = append(queue, i)
				reaches[i] = true
			}
		}
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
		begin, end := g.edges(k)
		for _, to := range g.to[begin:end] {
			from[first[to+1]] = i
			first[to+1]++
		}
	}
	return first[:len(first)-1], from
}
