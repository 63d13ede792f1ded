package reports

import "slices"

// sign is one entry of the legend: when it is wanted, how it looks and what it
// says.
type sign struct {
	row   row // drawn as it is in the diagram
	words string
	isIn  func(*row) bool
}

var signs = []sign{
	{row{mark: markEffect, effect: 1, tint: effect}, "effect, numbered", hasMark(markEffect)},
	{row{mark: markAbsorbed}, "no effect", hasMark(markAbsorbed)},
	{row{mark: markDone, tint: ack}, "settled for good", hasMark(markDone)},
	{row{mark: markRefused, tint: refused}, "refused", hasMark(markRefused)},
	{row{mark: markTime}, "time ran out", hasMark(markTime)},
	{row{mark: markCrash, tint: bad}, "crash", hasMark(markCrash)},
	{row{mark: markPause, tint: bad}, "stands still", hasMark(markPause)},
	{row{mark: markAlive}, "goes on, or is told", hasMark(markAlive)},
	{row{mark: markFailed, tint: bad}, "handler fails", hasMark(markFailed)},
}

func hasMark(m rune) func(*row) bool { return func(r *row) bool { return r.mark == m } }

// isLostMessage reports whether r shows a message that never arrives.
func isLostMessage(r *row) bool { return r.lost && !r.isWall && !r.isOpen }

// legendEntry is a sign at its place, or one of three that are no marks.
type legendEntry struct {
	*sign
	words string
	x, y  int
}

// The signs that are no marks.
const (
	leaseWords   = "lease, t: its token"
	unheardWords = "lease that its worker knows nothing of"
	lostWords    = "lost message"
)

// signHigh is the height of a line of the legend.
const signHigh = 24

// entries places the signs that the picture shows, as many on a line as there is
// room.
func (p *picture) entries() (list []legendEntry, lines int) {
	add := func(s *sign, words string) { list = append(list, legendEntry{sign: s, words: words}) }
	if slices.ContainsFunc(p.bars, func(b bar) bool { return !b.isUnheard }) {
		add(nil, leaseWords)
	}
	if slices.ContainsFunc(p.bars, func(b bar) bool { return b.isUnheard }) {
		add(nil, unheardWords)
	}
	if p.shows(isLostMessage) {
		add(nil, lostWords)
	}
	for i := range signs {
		if p.shows(signs[i].isIn) {
			add(&signs[i], signs[i].words)
		}
	}
	x, y := margin, 0
	for i := range list {
		wide := (width(list[i].words) + 7) * cellWide
		if x > margin && x+wide > p.wide-margin {
			x, y = margin, y+1
		}
		list[i].x, list[i].y = x, y
		x += wide
	}
	if len(list) > 0 {
		lines = y + 1
	}
	return list, lines
}

func (p *picture) shows(is func(*row) bool) bool {
	for _, at := range p.places {
		if at.row != nil && !at.isHidden && is(at.row) {
			return true
		}
	}
	return false
}

func (p *picture) legendHigh() int {
	_, lines := p.entries()
	return lines*signHigh + margin
}

// legend says what the signs mean.
func (p *picture) legend() {
	list, _ := p.entries()
	for _, e := range list {
		x, y := e.x+2*cellWide, p.high+e.y*signHigh+signHigh/2
		switch {
		case e.sign != nil:
			p.mark(&e.row, x, y)
		case e.words != lostWords:
			p.bar(&bar{&lease{to: 1, isUnheard: e.words == unheardWords}, x - barWide/2, y - 9, y + 9})
		default:
			p.path("bad s", 2, "6 4", "M"+itoa(x-16)+" "+itoa(y)+"H"+itoa(x+6))
			p.cross("bad s", x+6, y)
		}
		p.text("ink", x+5*cellWide/2, y+textHigh/3, e.words)
	}
}
