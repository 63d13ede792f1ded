package reports

import (
	"slices"
	"strings"
)

// A diagram that is wider than its terminal is drawn closer together, and what notes have
// no room at the right stands below its row: under the notes where it fits there, else
// over the lifelines, up to the last column.

// apart is how many columns are between the numbers, the times, the lifelines and the notes.
func (n *pen) apart() int {
	if n.isTight {
		return 1
	}
	return 2
}

// start is the column at which the lifelines begin, and room how many are left for notes.
func (n *pen) start() int { return n.numbers + 1 + n.times + 2*n.apart() }
func (n *pen) room() int  { return n.page.style.Width - n.start() - len(n.cells) - n.apart() }

// fits reports whether the lifelines have room, and draws them closer together where
// the notes have none.
func (n *pen) fits() bool {
	if n.page.style.Width == 0 {
		return true
	}
	widest := 0
	for _, l := range n.lines() {
		switch {
		case l.row == nil && len(l.hidden) == 0:
			widest = max(widest, width(l.gapText()))
		case l.row != nil && !l.isHidden:
			widest = max(widest, width(l.row.note))
		}
	}
	n.isTight = widest > n.room()
	return n.needs() <= n.page.style.Width
}

// needs is how many columns the lifelines and their titles take.
func (n *pen) needs() int {
	last := n.lanes[len(n.lanes)-1].title
	return n.start() + len(n.cells) + (width(last)-1)/2
}

// refuse says why there is no diagram, and where there is one.
func (n *pen) refuse() {
	n.page.wrap("", "The diagram needs "+itoa(n.needs())+" columns, and here are "+itoa(n.page.style.Width)+
		". Make the window wider, or look at it in a browser: `ackgap open STORY`, or --out html=FILE.")
}

// aside is what sets the last words of a note apart, which say that it is a fault or
// what it breaks.
const aside = "  <- "

// notes cuts a note into what stands in its row and the lines below.
func (n *pen) notes(note string) (first string, rest []string) {
	if !n.isTight || width(note) <= n.room() {
		return note, nil
	}
	words, last, has := strings.Cut(note, aside)
	if words = strings.Replace(words, ", lease ", " for ", 1); width(words) <= n.room() {
		first = words
	} else if lines := Fold(words, n.room()); len(lines) > 0 && n.haveRoom(lines) {
		first, rest = lines[0], lines[1:]
	} else {
		rest = n.whole(words)
	}
	if has {
		rest = append(rest, n.whole("<- "+last)...)
	}
	return first, rest
}

// haveRoom reports whether few lines hold a note at the right of the lifelines.
func (n *pen) haveRoom(lines []string) bool {
	const few = 3
	return len(lines) <= few && !slices.ContainsFunc(lines, func(l string) bool { return width(l) > n.room() })
}

// whole is text in lines that may go over the lifelines.
func (n *pen) whole(text string) []string {
	return Fold(text, n.page.style.Width-n.start()-n.apart())
}

// below writes the lines of a note that have no room in its row, r.
func (n *pen) below(r *row, lines []string) {
	for _, text := range lines {
		n.blank(0)
		n.margin("", "")
		n.beside(r.noteTint(), text)
	}
}

// beside writes the cells and, behind them, text: over the last ones where it has no room.
func (n *pen) beside(t tint, text string) {
	all := n.cells
	if over := width(text) - n.room(); n.isTight && over > 0 {
		n.cells = all[:max(0, len(all)-over)]
	}
	n.flush()
	n.cells = all
	n.page.line(t, text)
}
