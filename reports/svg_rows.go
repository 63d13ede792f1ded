package reports

import (
	"cmp"
	"strings"
)

// lineOf draws one line: a row, or what is cut between two.
func (p *picture) lineOf(at *place) {
	switch {
	case at.isHidden:
	case at.row == nil:
		p.gap(at)
	default:
		p.row(at.row, at.y)
	}
}

// gap says what lies between two rows. On a page one can walk to rows that are not
// shown, as to a row.
func (p *picture) gap(at *place) {
	isStep := p.link && len(at.hidden) > 0
	if isStep {
		p.b = append(p.b, `<g id="d`+at.events()+`">`...)
	}
	p.text("dim", p.notes, at.y+textHigh/3, at.gapText())
	if isStep {
		p.b = append(p.b, "</g>"...)
	}
}

// row draws number, time, message, mark, tag and note, and a box about all of them
// where a property breaks.
func (p *picture) row(r *row, y int) {
	base := y + textHigh/3
	p.b = append(p.b, `<g id="`+cmp.Or(p.name, "d")+itoa(r.seq)+`">`...)
	if r.isBroken {
		p.box(y)
	}
	number, at := itoa(r.seq), p.clock.tell(r.at)
	p.number(margin+(p.numbers-width(number))*cellWide, base, number)
	p.text("ink", margin+(p.numbers+2+p.times-width(at))*cellWide, base, at)
	if r.from != nowhere {
		p.message(r, y)
	}
	if on := p.lane(r.on); on >= 0 {
		p.mark(r, p.x(on), y)
		p.tag(r, on, base)
	}
	tint := "ink"
	if r.isBroken {
		tint = "bad bold"
	}
	p.text(tint, p.notes, base, noteText(r))
	p.b = append(p.b, "</g>"...)
}

// box frames the row in which a property breaks.
func (p *picture) box(y int) {
	p.b = append(p.b, `<rect class="bad s" stroke-width="2" stroke-dasharray="6 4" rx="4" x="2" y="`+itoa(y-rowHigh/2+1)+
		`" width="`+itoa(p.wide-4)+`" height="`+itoa(rowHigh-2)+`"/>`...)
}

// number writes the number of an event. As a link it is for a mouse: by keyboard the
// table has the same links.
func (p *picture) number(x, y int, number string) {
	if !p.link {
		p.text("dim", x, y, number)
		return
	}
	p.b = append(p.b, `<a tabindex="-1" href="#e`+number+`">`...)
	p.text("dim", x, y, number)
	p.b = append(p.b, `</a>`...)
}

// tag writes what stands beside a lifeline, on the side to which no message comes.
func (p *picture) tag(r *row, on, base int) {
	if r.tag == "" {
		return
	}
	x := p.x(on) + r.tagAway()*cellWide - cellWide/2
	if p.tagGap(r) == on {
		x = p.x(on) - (r.tagAway()+width(r.tag))*cellWide + cellWide/2
	}
	p.text(r.tint.class(), x, base, r.tag)
}

// message draws an arrow from lane to lane, about its label: solid with a head at
// its end, or dashed with a cross short of it, or dashed and open.
func (p *picture) message(r *row, y int) {
	from, to, step := p.x(p.lane(r.from)), p.x(p.lane(r.to)), 1
	if to < from {
		step = -1
	}
	tip := to
	switch {
	case r.mark != 0:
		tip -= step * (markWide + 1)
	case r.isWall:
		tip -= step * cellWide
		from += step * cellWide
	case r.lost:
		tip -= step * 2 * cellWide
	}
	p.shaft(r, from, tip, y)
	switch {
	case r.isWall:
		p.wall(r, from, tip, y)
	case r.isOpen:
	case r.lost:
		p.cross("bad s", tip, y)
	default:
		p.head(r, tip, step, y)
	}
	start := p.left + p.labelStart(r)*cellWide - cellWide/2
	p.text(r.tint.class(), start, y+textHigh/3, r.label)
}

// shaft draws the line of a message in two pieces, one at each side of its label.
func (p *picture) shaft(r *row, from, to, y int) {
	const air = 4
	label := p.left + p.labelStart(r)*cellWide - cellWide/2
	lo, hi := min(from, to), max(from, to)
	d := ""
	if label-air > lo {
		d += "M" + itoa(lo) + " " + itoa(y) + "H" + itoa(label-air)
	}
	if end := label + width(r.label)*cellWide + air; end < hi {
		d += "M" + itoa(end) + " " + itoa(y) + "H" + itoa(hi)
	}
	wide, dash := 2, ""
	switch {
	case r.lost:
		dash = "6 4"
	case r.tint == refused:
		dash = "8 3 2 3"
	case r.tint == delivery:
		wide = 3
	}
	p.path(r.tint.class()+" s", wide, dash, d)
}

// head ends a message that arrived: a filled triangle, or an open one on an
// acknowledgement.
func (p *picture) head(r *row, tip, step, y int) {
	const long, half = 10, 5
	back := itoa(tip - step*long)
	d := "M" + back + " " + itoa(y-half) + "L" + itoa(tip) + " " + itoa(y) + "L" + back + " " + itoa(y+half)
	if r.tint == ack {
		p.path("ack s", 2, "", d)
		return
	}
	p.b = append(p.b, `<path class="`+r.tint.class()+` f" d="`+d+`z"/>`...)
}

// wall ends a link that is cut with a cross at each end that nothing reaches.
func (p *picture) wall(r *row, near, far, y int) {
	if !r.lost {
		return
	}
	p.cross("bad s", far, y)
	if !r.isOneway {
		p.cross("bad s", near, y)
	}
}

func (p *picture) cross(class string, x, y int) {
	const half = 5
	p.path(class, 2, "", "M"+itoa(x-half)+" "+itoa(y-half)+"l10 10m0-10l-10 10")
}

// markWide is half of the width of a mark.
const markWide = 10

// mark draws what stands on a lifeline.
func (p *picture) mark(r *row, x, y int) {
	class, at := r.tint.class(), "M"+itoa(x)+" "+itoa(y)
	switch r.mark {
	case 0:
	case markEffect:
		p.b = append(p.b, `<path class="ink f" d="`+at+`m-11 0l11-11l11 11l-11 11z"/>`...)
		p.ordinal(r, x, y)
	case markAbsorbed:
		p.path(class+" s g", 2, "", at+"m-9 0l9-9l9 9l-9 9z")
	case markTime:
		p.path(class+" s g", 2, "", at+"m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0m8-5v5h4")
	case markDone:
		p.b = append(p.b, `<path class="`+class+` f" d="`+at+`m-7-7h14v14h-14z"/>`...)
	case markRefused:
		p.path("refused s g", 2, "", at+"m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0m2-6l12 12")
	case markCrash:
		p.path("bad s", 3, "", at+"m0-9v18m-6-12h12")
	case markPause:
		p.path("bad s g", 3, "", at+"m-4-8v16m8 0v-16")
	case markAlive:
		p.path(class+" s g", 2, "", at+"m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0")
	case markFailed:
		p.cross("bad s", x, y)
	}
}

// ordinal writes the number of an effect into its diamond, as far as there is room.
func (p *picture) ordinal(r *row, x, y int) {
	n := itoa(r.effect)
	if r.effect == 0 || len(n) > 2 {
		return
	}
	p.b = append(p.b, `<text class="on" font-size="11" x="`+itoa(x-3*len(n))+`" y="`+itoa(y+4)+`" textLength="`+itoa(6*len(n))+`">`+n+`</text>`...)
}

// text writes s, which must be safe, from x on, one cell a rune.
func (p *picture) text(class string, x, y int, s string) {
	if s == "" {
		return
	}
	p.b = append(p.b, `<text class="`+class+`" x="`+itoa(x)+`" y="`+itoa(y)+`" textLength="`+itoa(width(s)*cellWide)+`">`+escaped(s)+`</text>`...)
}

// path strokes d.
func (p *picture) path(class string, wide int, dash, d string) {
	if d == "" {
		return
	}
	p.b = append(p.b, `<path class="`+class+`"`...)
	if wide != 1 {
		p.b = append(p.b, ` stroke-width="`+itoa(wide)+`"`...)
	}
	if dash != "" {
		p.b = append(p.b, ` stroke-dasharray="`+dash+`"`...)
	}
	p.b = append(p.b, ` d="`+d+`"/>`...)
}

// escaped returns a safe string as XML and HTML write it.
func escaped(s string) string { return markup.Replace(s) }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
