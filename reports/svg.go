package reports

import (
	"strings"

	"github.com/ackgap/ackgap/model"
)

// A picture is drawn on the grid of the text diagram: the same lanes, rows and
// labels, one column of text being a cell of this width in pixels. Text is in a
// monospaced font and held to its cells by textLength, so that its boxes are known
// here, whatever font a reader has.
const (
	cellWide = 8
	rowHigh  = 26
	textHigh = 13 // the font's size
	margin   = 12
	titleLow = 34 // the baseline of the titles
	headHigh = 48 // where the lifelines begin
)

// picture draws one diagram as SVG. All lengths are whole pixels.
type picture struct {
	*diagram
	b       []byte
	places  []place // of lines, parallel
	bars    []bar   // the leases that are seen
	left    int     // x of the lifelines' first column
	numbers int     // cells of the column of event numbers
	times   int
	notes   int // x of the notes
	wide    int
	high    int
	link    bool   // numbers lead to the rows of a table
	name    string // before the number of a row in its id; d where it is empty
}

// place is a line and the middle of its row.
type place struct {
	line
	y int
}

// AppendSVG appends the space-time diagram of r as a picture that stands alone,
// without fonts, scripts or links, for a light and for a dark ground. Of s only
// Full counts. A run without events has a picture without rows.
func AppendSVG(b []byte, r *Run, s Style) []byte {
	p := newPicture(r, s)
	b = append(b, `<svg xmlns="http://www.w3.org/2000/svg" `...)
	b = append(append(b, p.frame()...), `><style>`+colors()+svgStyle+`</style>`...)
	b = append(b, `<rect class="ground" width="100%" height="100%" fill="currentColor"/>`...)
	b = append(b, p.draw(r)...)
	return append(b, "</svg>\n"...)
}

// svgStyle says what the attributes of the shapes leave open.
const svgStyle = `svg{font:13px ui-monospace,Menlo,'DejaVu Sans Mono','Liberation Mono',monospace}` +
	`text{fill:currentColor;white-space:pre}.s{stroke:currentColor;fill:none}.f{fill:currentColor;stroke:none}` +
	`.l{fill:currentColor;fill-opacity:.18}.g{fill:` + groundLight + `}.bold{font-weight:bold}.on{fill:` + groundLight + `}` +
	`@media screen and (prefers-color-scheme:dark){.g,.on{fill:` + groundDark + `}}`

// newPicture lays the diagram of r out.
func newPicture(r *Run, s Style) *picture {
	d := layOut(r, s.Full)
	d.place(true)
	p := &picture{diagram: &d, times: len("time")}
	y := headHigh
	for _, l := range d.lines() {
		if l.isHidden {
			p.places = append(p.places, place{l, y})
			continue
		}
		p.places = append(p.places, place{l, y + rowHigh/2})
		y += rowHigh
	}
	p.measure()
	p.high = y + margin
	p.hang(r.History)
	return p
}

// measure finds the columns at the left and at the right of the lifelines.
func (p *picture) measure() {
	notes := 0
	for _, at := range p.places {
		switch {
		case at.isHidden:
			continue
		case at.row == nil:
			notes = max(notes, width(at.gapText()))
			continue
		}
		p.numbers = max(p.numbers, width(itoa(at.row.seq)))
		p.times = max(p.times, width(p.clock.tell(at.row.at)))
		notes = max(notes, width(noteText(at.row)))
	}
	p.left = margin + (p.numbers+2+p.times+2)*cellWide + cellWide/2
	p.notes = p.left + (p.columns+2)*cellWide
	p.wide = p.notes + notes*cellWide + margin
}

// noteText is the note of a row on one line, with an arrow that is one.
func noteText(r *row) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(r.note, "<- ", "← ")), " ")
}

// frame is the size of the picture as attributes, and what it is to a screen reader: an
// image, or, with links in it, a group.
func (p *picture) frame() string {
	role := "img"
	if p.link {
		role = "group"
	}
	w, h := itoa(p.wide), itoa(p.high+p.legendHigh())
	return `viewBox="0 0 ` + w + " " + h + `" width="` + w + `" height="` + h + `" role="` + role + `"`
}

// draw returns what stands within the svg element: lifelines below, leases on
// them, rows above both.
func (p *picture) draw(r *Run) []byte {
	p.b = append(p.b[:0], `<title>`...)
	p.b = append(append(p.b, escaped(shown(model.Safe(r.Story)+": "+r.gist()))...), `</title>`...)
	p.header()
	for i := range p.lanes {
		p.lifeline(i)
	}
	for i := range p.bars {
		p.bar(&p.bars[i])
	}
	for i := range p.places {
		p.lineOf(&p.places[i])
	}
	p.legend()
	return p.b
}

// header writes the titles, each centred above its lifeline.
func (p *picture) header() {
	p.text("dim", p.left-(p.times+2)*cellWide-cellWide/2+(p.times-len("time"))*cellWide, titleLow, "time")
	for i, l := range p.lanes {
		p.text("ink bold", p.x(i)-width(l.title)/2*cellWide-cellWide/2, titleLow, l.title)
	}
}

// x is the middle of a lane.
func (p *picture) x(lane int) int { return p.left + p.lanes[lane].col*cellWide }

// lifeline draws one lane from top to bottom, as its process lives. Where time or
// rows are cut, so is it.
func (p *picture) lifeline(lane int) {
	var drawn pieces
	from, life := headHigh-6, alive
	for _, at := range p.places {
		switch {
		case at.row == nil:
			drawn.add(life, from, at.y-rowHigh/2+3)
			drawn.add(isDead, at.y-rowHigh/2+7, at.y+rowHigh/2-6)
			from = at.y + rowHigh/2 - 3
		case at.row.life != 0 && p.lane(at.row.on) == lane:
			drawn.add(life, from, at.y)
			from, life = at.y, at.row.life
		}
	}
	drawn.add(life, from, p.high-margin+6)
	at := "M" + itoa(p.x(lane)) + " "
	p.path("dim s", 1, "", strings.ReplaceAll(drawn.solid, "M", at))
	p.path("dim s", 1, "6 5", strings.ReplaceAll(drawn.dashed, "M", at))
	p.path("dim s", 1, "1 5", strings.ReplaceAll(drawn.dotted, "M", at))
}

// pieces are those of one lifeline: solid, dashed while its process stands still,
// dotted while it is dead. The M of each lacks its x.
type pieces struct{ solid, dashed, dotted string }

func (p *pieces) add(life life, from, to int) {
	if from >= to {
		return
	}
	d := "M" + itoa(from) + "V" + itoa(to)
	switch life {
	case paused:
		p.dashed += d
	case isDead:
		p.dotted += d
	default:
		p.solid += d
	}
}

// bar is a lease on the lifeline of its worker.
type bar struct {
	*lease
	x, top, bottom int
}

// hang finds the bars of the leases of h that reach over a row.
func (p *picture) hang(h *model.History) {
	const shift, deepest = 2, 3
	leases := leasesOf(h)
	for i := range leases {
		l := &leases[i]
		lane := p.lane(l.on)
		if l.on == nowhere || lane < 0 {
			continue
		}
		top, bottom := p.yOf(l.from), p.high-margin+6
		if l.to != 0 {
			bottom = p.yOf(l.to)
		}
		if l.isLapsed && l.to != 0 {
			bottom -= rowHigh / 2
		}
		if bottom > top {
			p.bars = append(p.bars, bar{l, p.x(lane) - barWide/2 + min(l.depth, deepest)*shift, top, bottom})
		}
	}
}

const barWide = 8

// bar draws a lease: dashed where the worker does not know of it, open at the bottom
// where it is not over at the end.
func (p *picture) bar(b *bar) {
	box := "M" + itoa(b.x) + " " + itoa(b.bottom) + "V" + itoa(b.top) + "h" + itoa(barWide) + "V" + itoa(b.bottom)
	if b.to != 0 {
		box += "z"
	}
	p.b = append(p.b, `<path class="delivery s l" d="`+box+`"`...)
	if b.isUnheard {
		p.b = append(p.b, ` stroke-dasharray="3 3"`...)
	}
	p.b = append(p.b, "/>"...)
}

// yOf is where the event of that number stands, or where it would, between rows.
func (p *picture) yOf(seq int32) int {
	y := headHigh
	for _, at := range p.places {
		switch {
		case at.row == nil || at.row.seq < seq:
			y = at.y + rowHigh/2
		case at.row.seq == seq && !at.isHidden:
			return at.y
		case at.row.seq > seq:
			return y
		}
	}
	return y
}
