package reports

// cell is one column of a drawn row.
type cell struct {
	r rune
	t tint
}

// pen draws a diagram on a page.
type pen struct {
	*diagram
	page    *page
	numbers int // width of the column of event numbers
	times   int // width of the column of times
	cells   []cell
	isTight bool // it is fitted into the width of the style
}

// drawDiagram writes the space-time diagram: time runs down, each process has a
// lifeline, and what is worth saying stands at the right.
func drawDiagram(p *page, d *diagram) {
	n := pen{diagram: d, page: p, times: len("time"), cells: make([]cell, d.width())}
	for i := range d.rows {
		if d.shown[i] {
			n.numbers = max(n.numbers, width(itoa(d.rows[i].seq)))
			n.times = max(n.times, width(d.clock.tell(d.rows[i].at)))
		}
	}
	if !n.fits() {
		n.refuse()
		return
	}
	n.header()
	for _, l := range d.lines() {
		rest := []string(nil)
		switch {
		case l.row == nil:
			n.gap(l)
			continue
		case !l.isHidden:
			rest = n.row(l.row)
		}
		n.live(l.row)
		n.below(l.row, rest)
	}
}

// width is how many columns the lifelines take.
func (d *diagram) width() int { return d.lanes[len(d.lanes)-1].col + 1 }

// header writes the titles, each centred above its lifeline.
func (n *pen) header() {
	n.margin("", "time")
	at := 0
	for _, l := range n.lanes {
		start := l.col - width(l.title)/2
		n.page.spaces += start - at
		n.page.put(plain, l.title)
		at = start + width(l.title)
	}
	n.page.end()
}

func (n *pen) margin(number, at string) {
	n.page.right(dim, number, n.numbers+1)
	n.page.spaces += n.apart()
	n.page.right(plain, at, n.times)
	n.page.spaces += n.apart()
}

// gap says what lies between two rows: rows that are not shown, or time alone.
func (n *pen) gap(l line) {
	if len(l.hidden) > 0 {
		n.page.right(dim, "⋮", n.numbers+1)
		n.page.spaces += n.apart()
		n.page.line(dim, l.gapText())
		return
	}
	n.blank('⋮')
	n.margin("⋮", "")
	n.beside(dim, l.gapText())
}

// blank begins a row with the lifelines alone; a rune other than 0 replaces them.
func (n *pen) blank(with rune) {
	for i := range n.cells {
		n.cells[i] = cell{r: ' '}
	}
	for _, l := range n.lanes {
		r := rune(l.life)
		if with != 0 {
			r = with
		}
		n.cells[l.col] = cell{r, dim}
	}
}

// row writes one row: message, mark, note. It returns the lines of the note for which
// there was no room.
func (n *pen) row(r *row) []string {
	n.blank(0)
	if r.from != nowhere {
		n.message(r)
	}
	if on := n.lane(r.on); r.mark != 0 && on >= 0 {
		n.cells[n.lanes[on].col] = cell{r.mark, r.tint}
	}
	n.margin(itoa(r.seq), n.clock.tell(r.at))
	note, rest := n.notes(r.note)
	n.beside(r.noteTint(), note)
	return rest
}

func (r *row) noteTint() tint {
	if r.isBroken {
		return bad
	}
	return plain
}

// message draws an arrow from lane to lane: solid with a head at its end, or
// dashed with a cross short of it, or dashed and open.
func (n *pen) message(r *row) {
	a, b := n.lanes[n.lane(r.from)], n.lanes[n.lane(r.to)]
	step, tail, head := 1, '├', '▶'
	if b.col < a.col {
		step, tail, head = -1, '┤', '◀'
	}
	dash := '─'
	if r.lost {
		dash = '╌'
	}
	for c := a.col + step; c != b.col; c += step {
		n.pass(c, cell{dash, r.tint})
	}
	switch {
	case r.isWall:
		n.wall(r, a.col+step, b.col-step)
	case r.lost:
		n.cells[b.col-step] = cell{' ', plain}
		if !r.isOpen {
			n.cells[b.col-2*step] = cell{markLost, r.tint}
		}
	default:
		n.cells[b.col-step] = cell{head, r.tint}
	}
	if a.life == alive && !r.isWall {
		n.cells[a.col] = cell{tail, dim}
	}
	n.label(r)
}

// wall ends a link that is cut: with a cross at each end that nothing reaches.
func (n *pen) wall(r *row, near, far int) {
	if !r.lost {
		return
	}
	n.cells[far] = cell{markLost, r.tint}
	if !r.isOneway {
		n.cells[near] = cell{markLost, r.tint}
	}
}

// pass draws one column of a message, which crosses a lifeline where there is one.
func (n *pen) pass(col int, dash cell) {
	switch n.cells[col].r {
	case ' ':
		n.cells[col] = dash
	case rune(alive):
		n.cells[col] = cell{rune(crossed), dim}
	}
}

// label writes the label into its gap.
func (n *pen) label(r *row) {
	from := n.labelStart(r) - 1
	for i, c := range []rune(" " + r.label + " ") {
		n.cells[from+i] = cell{c, r.tint}
	}
}

// live lets the lifeline of r go on as r says, hidden or not.
func (n *pen) live(r *row) {
	if on := n.lane(r.on); on >= 0 && r.life != 0 {
		n.lanes[on].life = r.life
	}
}

// flush writes the drawn cells, runs of one tint together.
func (n *pen) flush() {
	for i := 0; i < len(n.cells); {
		j := i
		var run []rune
		for ; j < len(n.cells) && n.cells[j].t == n.cells[i].t; j++ {
			run = append(run, n.cells[j].r)
		}
		n.page.put(n.cells[i].t, string(run))
		i = j
	}
	n.page.spaces += n.apart()
}
