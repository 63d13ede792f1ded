package scenarios

import (
	"cmp"
	"slices"

	"github.com/ackgap/ackgap/model"
)

// maxFailures is how many failing seeds a tally remembers: the lowest.
const maxFailures = 20

// Tally is what a number of random worlds of one campaign came to. Tallies of
// disjoint seeds add up to the same, however the seeds were split.
type Tally struct {
	Runs       int
	Steps      int64           // of processes, over all runs
	Digests    model.Digest    // the sum of those of all histories, modulo 2^64
	Properties []PropertyTally // by place in model.Properties
	Reach      []int           // by place in model.Reach: in how many runs it was seen
	Struck     []int           // by chaos line: how often it struck
	Repaired   []int           // by repair: in how many runs it changed something
	Unexpected int             // runs in which something broke that may not
	Open       int             // runs in which something is unknown and nothing is wrong
	Failures   []Failure       // the first unexpected ones, by seed
	Opens      []Failure       // the first open ones, by seed
}

// PropertyTally is what came of one property.
type PropertyTally struct {
	Held, Broken, Unknown int
	Idle                  int // runs in which it was never evaluated
}

// Failure is a seed and the properties that broke, or are unknown, in its world.
type Failure struct {
	Seed       uint64
	Properties []string
	Digest     model.Digest
}

// Count runs the worlds of n seeds from the seed first on and adds them up: of
// first, first+1 and so on modulo 2^64. It begins no further world once stop, if
// it is not nil, says so. An error comes with the tally of the worlds before it.
func (c *Campaign) Count(r *Runner, first, n uint64, stop func() bool) (*Tally, error) {
	return c.CountOf(func(seed uint64) (*World, error) { return r.World(c, seed, false) }, first, n, stop)
}

// CountOf is Count of the worlds that next runs, which is asked for seed after seed: they
// may be drawn otherwise than by their seed alone.
func (c *Campaign) CountOf(next func(seed uint64) (*World, error), first, n uint64, stop func() bool) (*Tally, error) {
	t := c.NewTally()
	for i := uint64(0); i < n && (stop == nil || !stop()); i++ {
		w, err := next(first + i)
		if err != nil {
			return t, err
		}
		t.add(c, w)
	}
	return t, nil
}

// NewTally returns the tally of no runs.
func (c *Campaign) NewTally() *Tally {
	return &Tally{
		Properties: make([]PropertyTally, len(c.judged)),
		Reach:      make([]int, len(model.Reach())),
		Struck:     make([]int, len(c.policy)),
		Repaired:   make([]int, repairCount),
	}
}

func (t *Tally) add(c *Campaign, w *World) {
	t.Runs++
	t.Steps += w.Outcome.Steps
	t.Digests += w.Outcome.History.Digest
	for i, v := range w.Outcome.Verdicts {
		t.Properties[i].add(v)
	}
	for i, v := range w.Outcome.Reach {
		if v.Value == model.Held {
			t.Reach[i]++
		}
	}
	addAll(t.Struck, w.Struck)
	for i := range repairCount {
		if w.repaired.has(i) {
			t.Repaired[i]++
		}
	}
	switch w.Outcome.Met {
	case No:
		t.Unexpected++
		t.Failures = remember(t.Failures, Failure{w.Seed, w.Unexpected, w.Outcome.History.Digest})
	case Inconclusive:
		t.Open++
		t.Opens = remember(t.Opens, Failure{w.Seed, w.Open, w.Outcome.History.Digest})
	}
}

func (p *PropertyTally) add(v model.Verdict) {
	switch {
	case v.Value == model.Broken:
		p.Broken++
	case v.Value == model.Unknown:
		p.Unknown++
	case v.Evaluations == 0:
		p.Idle++
	default:
		p.Held++
	}
}

// Add adds the runs of o, whose seeds are others.
func (t *Tally) Add(o *Tally) {
	t.Runs += o.Runs
	t.Steps += o.Steps
	t.Digests += o.Digests
	t.Unexpected += o.Unexpected
	t.Open += o.Open
	for i, p := range o.Properties {
		q := &t.Properties[i]
		q.Held, q.Broken, q.Unknown, q.Idle = q.Held+p.Held, q.Broken+p.Broken, q.Unknown+p.Unknown, q.Idle+p.Idle
	}
	addAll(t.Reach, o.Reach)
	addAll(t.Struck, o.Struck)
	addAll(t.Repaired, o.Repaired)
	for _, f := range o.Failures {
		t.Failures = remember(t.Failures, f)
	}
	for _, f := range o.Opens {
		t.Opens = remember(t.Opens, f)
	}
}

func addAll(to, from []int) {
	for i, n := range from {
		to[i] += n
	}
}

// remember keeps f among the lowest seeds.
func remember(list []Failure, f Failure) []Failure {
	i, _ := slices.BinarySearchFunc(list, f, func(a, b Failure) int { return cmp.Compare(a.Seed, b.Seed) })
	if i >= maxFailures {
		return list
	}
	list = slices.Insert(list, i, f)
	return list[:min(len(list), maxFailures)]
}

// From how many worlds on a campaign must have seen what it was told to try:
// below, that it has not says nothing.
const (
	EnoughRuns  = 5_000 // a property that may break has broken: some do in one world of thousands
	EnoughChaos = 250   // a chaos line has struck: about half of the worlds leave it on
)

// Vacuous says what a campaign of t was told to try and never did, a sentence
// each: what is vacuous is red. It says nothing of a campaign that is too short
// to tell.
func (t *Tally) Vacuous(c *Campaign) []string {
	var list []string
	unbroken := t.Unbroken(c)
	for i, p := range model.Properties() {
		if slices.Contains(unbroken, i) {
			list = append(list, p.Name+" may break and never did")
		}
		if t.Runs >= EnoughChaos && c.named[i] && t.Properties[i].Idle == t.Runs {
			list = append(list, p.Name+" was never evaluated")
		}
	}
	for i, n := range t.Struck {
		if t.Runs >= EnoughChaos && n == 0 && !c.adopted {
			list = append(list, c.chaosText(i)+" never struck")
		}
	}
	for i, n := range t.Repaired {
		if t.Runs >= EnoughChaos && c.repairs.has(repair(i)) && n == 0 {
			list = append(list, idleRepairs[i])
		}
	}
	return list
}

// Unbroken lists the places in model.Properties of those that may break in c and did in no
// world of t, if these are enough to tell.
func (t *Tally) Unbroken(c *Campaign) (list []int) {
	for i := range t.Properties {
		if t.Runs >= EnoughRuns && c.mayBreak[i] && t.Properties[i].Broken == 0 {
			list = append(list, i)
		}
	}
	return list
}

// chaosText returns the ith chaos line as a story writes it.
func (c *Campaign) chaosText(i int) string {
	w := writer{story: c.Story, names: &c.Story.Cast().Names}
	w.chaos(&c.chaos[i])
	return w.lines[0]
}
