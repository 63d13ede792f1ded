package coverage

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// shapesOf lists in which states the jobs were after each thing that the queue did: how
// many of them in which, whichever they are. From four on numbers count as alike up to the
// next power of two, so that a story of many jobs has no shape for each of them (as the
// hit counts of afl-fuzz do, whose buckets these are nearly).
func shapesOf(s *scenarios.Story, h *model.History) (shapes []string) {
	ledger := newPump(s).ledger
	jobs := newCrowd(len(h.Names.Jobs), ledger)
	met := map[string]bool{}
	for i := range h.Events {
		e := &h.Events[i]
		jobs.observe(e, h.TouchedBy(e.Seq), ledger)
		if e.Kind != model.Applied {
			continue
		}
		if shape := jobs.shape(); !met[shape] {
			met[shape] = true
			shapes = append(shapes, shape)
		}
	}
	return shapes
}

// crowd is how many jobs are in which state.
type crowd struct {
	states []string // by job; 0 is none
	counts []count  // by state
}

type count struct {
	state string
	jobs  uint
}

func newCrowd(jobs int, ledger *model.Ledger) *crowd {
	c := &crowd{states: make([]string, jobs)}
	for job := 1; job < jobs; job++ {
		c.look(model.Job(job), ledger)
	}
	return c
}

// observe lets the ledger observe e, and looks at the jobs that it is about or touches.
func (c *crowd) observe(e *model.Event, touched []model.Touch, ledger *model.Ledger) {
	ledger.Observe(e, touched)
	c.look(e.Job, ledger)
	for _, t := range touched {
		c.look(ledger.JobOf(t.ID), ledger)
	}
}

// look takes note of the state that a job is in by now.
func (c *crowd) look(job model.Job, ledger *model.Ledger) {
	if job == model.NoJob || int(job) >= len(c.states) {
		return
	}
	was, is := c.states[job], ledger.State(job)
	if was == is {
		return
	}
	if was != "" {
		c.of(was).jobs--
	}
	c.of(is).jobs++
	c.states[job] = is
}

// of returns the count of a state, for as long as no state is new.
func (c *crowd) of(state string) *count {
	i, ok := slices.BinarySearchFunc(c.counts, state, func(n count, state string) int { return cmp.Compare(n.state, state) })
	if !ok {
		c.counts = slices.Insert(c.counts, i, count{state, 0})
	}
	return &c.counts[i]
}

func (c *crowd) shape() string {
	var b []byte
	for _, n := range c.counts {
		if alike := n.jobs; alike > 0 {
			if alike > 3 {
				alike = 1 << (bits.Len(alike) - 1)
			}
			b = fmt.Appendf(b, "%d %s ", alike, n.state)
		}
	}
	return string(b)
}
