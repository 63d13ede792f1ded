package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// Tolerance is how many faults it takes to break each property of each
// configuration of one world, as far as was searched.
type Tolerance struct {
	World      string // the story's name
	Jobs       int
	Workers    int
	Claims     int    // of each job, at most
	Faults     int    // at most so many were tried
	Kinds      string // of faults
	Acts       string // that somebody beside the workers may say, each a fault; "" for none
	Properties []string
	Rows       []ToleranceRow
}

// ToleranceRow is one configuration.
type ToleranceRow struct {
	Config string // what differs from the world as it is: "variant=no-fence"
	States int
	Open   bool            // states were left: a number may be too large, and a dot too bold
	Cells  []ToleranceCell // by property
}

// ToleranceCell is what it takes to break one property of one configuration.
type ToleranceCell struct {
	Idle   bool // the configuration does not promise it
	Broken bool
	Faults int    // the fewest with which it breaks
	Story  []byte // the shortest, replayed; nil where only the abstraction has one
	Digest string // of its history
}

// cellAbstract marks a number that no story stands behind.
const cellAbstract = "!"

// AppendTolerance appends the table configuration by property.
func AppendTolerance(b []byte, t *Tolerance, s Style) []byte {
	p := &page{b: b, style: s}
	p.line(plain, fmt.Sprintf("FAULTS THAT IT TAKES  %s: %s, %s, %s a job", model.Safe(t.World),
		script.Count(t.Jobs, "job"), script.Count(t.Workers, "worker"), script.Count(t.Claims, "claim")))
	p.wrap("  ", fmt.Sprintf("up to %s of %s", script.Count(t.Faults, "fault"), spaced(t.Kinds)))
	if t.Acts != "" {
		p.wrap("  ", "and of the acts "+spaced(t.Acts))
	}
	p.end()
	p.toleranceRows(t)
	p.end()
	p.toleranceLegend(t)
	return p.b
}

// spaced lets a list be broken into lines.
func spaced(list string) string { return strings.ReplaceAll(list, ",", ", ") }

func (p *page) toleranceRows(t *Tolerance) {
	names := len("configuration")
	for _, name := range t.Properties {
		names = max(names, width(name))
	}
	for i := range t.Rows {
		names = max(names, width(model.Safe(t.Rows[i].Config)))
	}
	p.headings(t.Properties, names+1)
	p.left(plain, "configuration", names+1)
	p.line(dim, strings.Repeat("  │", len(t.Properties)))
	for i := range t.Rows {
		r := &t.Rows[i]
		p.left(plain, model.Safe(r.Config), names+1)
		for k := range r.Cells {
			p.toleranceCell(&r.Cells[k])
		}
		if r.Open {
			p.right(plain, cellUnknown, columnWide)
		}
		p.end()
	}
}

func (p *page) toleranceCell(c *ToleranceCell) {
	switch {
	case c.Idle:
		p.right(dim, cellIdle, columnWide)
	case !c.Broken:
		p.right(dim, cellHeld, columnWide)
	case c.Story == nil:
		p.right(bad, cellAbstract, columnWide)
	default:
		p.right(bad, itoa(c.Faults), columnWide)
	}
}

// toleranceLegend says what the numbers and marks are.
func (p *page) toleranceLegend(t *Tolerance) {
	says := fmt.Sprintf("a number: the fewest faults that break it, 0 where none is needed; . none of up to %d does; - not promised", t.Faults)
	if t.hasCell(func(c *ToleranceCell) bool { return c.Broken && c.Story == nil }) {
		says += "; ! a path was found, and no story of it"
	}
	if slices.ContainsFunc(t.Rows, func(r ToleranceRow) bool { return r.Open }) {
		says += "; ? not everything was explored"
	}
	p.wrap("  ", says)
}

func (t *Tolerance) hasCell(what func(*ToleranceCell) bool) bool {
	for i := range t.Rows {
		for k := range t.Rows[i].Cells {
			if what(&t.Rows[i].Cells[k]) {
				return true
			}
		}
	}
	return false
}
