package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Storm is what remains of a fault under jobs that keep coming, by load, lease and how
// long the fault lasts.
type Storm struct {
	World    string // the story's name
	Workers  int
	Fault    string // workers, producer or outage
	Horizon  time.Duration
	Prefetch int             // 1: nothing is taken beforehand
	Loads    []int           // in percent of the workers' capacity, rising
	Leases   []time.Duration // rising
	Lengths  []time.Duration // rising
	Cells    []StormCell     // by length, then by lease, then by load
}

// StormCell is what became of one backlog.
type StormCell struct {
	Outcome    string        // drained, draining, stuck, overloaded or unknown
	Left       time.Duration // draining: about so much longer
	Before     int           // open jobs, at most, before the fault
	Peak       int           // at most, from then on
	End        int           // at the end
	CalmEnd    int           // at the end of the run without the fault
	Deliveries int           // in the last half of the run
	Completed  int           // likewise
	Dead       int           // jobs that were given up, more than without the fault
}

// stormMark is how an outcome is drawn.
type stormMark struct {
	outcome, mark, says string
	tint                tint
}

// stormMarks are the shapes of the outcomes. Colour repeats what they say.
var stormMarks = []stormMark{
	{"drained", "·", "the backlog drains", ack},
	{"draining", "o", "it drains, and is not gone yet", delivery},
	{"stuck", "#", "it stays up, though its cause is gone: metastable", bad},
	{"overloaded", "X", "too much, without any fault too", dim},
	{"unknown", "?", "a run was cut at its limit of steps", plain},
}

// cell returns the cell of a length, a lease and a load, by their places.
func (s *Storm) cell(length, lease, load int) *StormCell {
	return &s.Cells[(length*len(s.Leases)+lease)*len(s.Loads)+load]
}

// recovers reports whether the backlog goes.
func (c *StormCell) recovers() bool { return c.Outcome == "drained" || c.Outcome == "draining" }

// stormColumn is how wide the column of one load is.
const stormColumn = 6

// AppendStorm appends a grid for each length of the fault: leases by loads, with a line
// between what recovers and what does not.
func AppendStorm(b []byte, t *Storm, s Style) []byte {
	p := &page{b: b, style: s}
	p.line(plain, fmt.Sprintf("STORM  %s: %s, %s a run", model.Safe(t.World), script.Count(t.Workers, "worker"), script.FormatDuration(t.Horizon)))
	p.wrap("  ", stormText(t))
	for i := range t.Lengths {
		p.end()
		p.stormGrid(t, i)
	}
	p.end()
	p.stormLegend(t)
	return p.b
}

// stormText says what goes wrong.
func stormText(t *Storm) string {
	text := map[string]string{
		"workers":  "For a while no worker reaches the queue",
		"producer": "For a while no producer reaches the queue",
		"outage":   "For a while the queue's server is down",
	}[t.Fault] + ", a quarter into the run; jobs keep coming. What remains of it at the end?"
	if t.Prefetch > 1 {
		text += fmt.Sprintf(" The workers share a client that takes %s at once.", script.Count(t.Prefetch, "job"))
	}
	return text
}

func (p *page) stormGrid(t *Storm, length int) {
	names := len("lease")
	for _, l := range t.Leases {
		names = max(names, len(script.FormatDuration(l)))
	}
	p.line(plain, "FAULT OF "+script.FormatDuration(t.Lengths[length]))
	p.right(plain, "lease", names+2)
	p.put(plain, "  load")
	p.end()
	p.spaces += names + 2
	for _, load := range t.Loads {
		p.right(plain, itoa(load)+"%", stormColumn)
	}
	p.end()
	for i := len(t.Leases) - 1; i >= 0; i-- {
		p.right(plain, script.FormatDuration(t.Leases[i]), names+2)
		p.stormRow(t, length, i)
		p.stormEdge(t, length, i, names+2)
	}
}

// stormRow draws the cells of a lease, and a bar where two neighbours differ in whether
// they recover.
func (p *page) stormRow(t *Storm, length, lease int) {
	for k := range t.Loads {
		c := t.cell(length, lease, k)
		bar := " "
		if k > 0 && c.recovers() != t.cell(length, lease, k-1).recovers() {
			bar = "│"
		}
		p.right(plain, bar, stormColumn-3)
		p.spaces += 2
		i := slices.IndexFunc(stormMarks, func(m stormMark) bool { return m.outcome == c.Outcome })
		p.put(stormMarks[i].tint, stormMarks[i].mark)
	}
	p.end()
}

// stormEdge draws a line below the cells of a lease that differ from those of the next
// shorter one.
func (p *page) stormEdge(t *Storm, length, lease, names int) {
	if lease == 0 {
		return
	}
	edge := ""
	for k := range t.Loads {
		part := strings.Repeat(" ", stormColumn)
		if t.cell(length, lease, k).recovers() != t.cell(length, lease-1, k).recovers() {
			part = strings.Repeat(" ", stormColumn-3) + "───"
		}
		edge += part
	}
	if strings.TrimSpace(edge) == "" {
		return
	}
	p.spaces += names
	p.line(plain, strings.TrimRight(edge, " "))
}

// stormLegend says what the marks are that are there, and what the worst of them shows.
func (p *page) stormLegend(t *Storm) {
	for _, m := range stormMarks {
		n := 0
		for i := range t.Cells {
			if t.Cells[i].Outcome == m.outcome {
				n++
			}
		}
		if n > 0 {
			p.spaces += 2
			p.put(m.tint, m.mark)
			p.line(plain, fmt.Sprintf("  %s (%d of %d)", m.says, n, len(t.Cells)))
		}
	}
	if dead := t.dead(); dead > 0 {
		p.wrap("  ", fmt.Sprintf("Where jobs were given up (%s), a backlog shrinks by that too.", script.Count(dead, "cell")))
	}
	p.stormExample(t)
}

// dead counts the cells in which jobs were given up.
func (t *Storm) dead() (n int) {
	for i := range t.Cells {
		if t.Cells[i].Dead > 0 {
			n++
		}
	}
	return n
}

// stormExample tells the first cell that is stuck, or that none is.
func (p *page) stormExample(t *Storm) {
	p.end()
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Outcome != "stuck" {
			continue
		}
		load, lease, length := i%len(t.Loads), i/len(t.Loads)%len(t.Leases), i/len(t.Loads)/len(t.Leases)
		p.wrap("  ", fmt.Sprintf("At a load of %d%% and a lease of %s, %s of fault leave %s open at the end, and without it there are %d. In the last half of the run %s ended %s.",
			t.Loads[load], script.FormatDuration(t.Leases[lease]), script.FormatDuration(t.Lengths[length]), script.Count(c.End, "job"), c.CalmEnd,
			script.Count(c.Deliveries, "delivery"), script.Count(c.Completed, "job")))
		return
	}
	p.wrap("  ", "No backlog outlives its cause here.")
}
