package reports

import "slices"

// lane is one lifeline: its title and the column in which it runs, counted from
// the left edge of the lifelines.
type lane struct {
	at    station
	title string
	col   int
	life  life
}

const (
	laneLimit = 7  // lifelines of a diagram that is not full
	rowLimit  = 40 // rows of a diagram that is not full
	firstRows = 8  // shown when there are more
	lastRows  = 12
)

// diagram is what every surface draws (draw.go in runes, svg.go in lines): lanes
// from left to right, rows from top to bottom. All rows are here, shown or not,
// because a lifeline changes in hidden ones too.
type diagram struct {
	lanes   []lane
	rows    []row
	shown   []bool    // parallel to rows
	undrawn []station // processes that took part but have no lane
	clock   clock     // tells when the rows that are shown were
	columns int       // how many the lifelines take, with what stands at the right of the last
}

// layOut chooses the lanes and rows of a run and places them.
func layOut(r *Run, full bool) diagram {
	c := newCast(r.History)
	d := diagram{rows: rowsOf(r)}
	d.chooseLanes(&c, full)
	d.chooseRows(full)
	d.readTimes()
	d.place(false)
	return d
}

// readTimes sets the clock by the rows that are shown.
func (d *diagram) readTimes() {
	for i := range d.rows {
		if d.shown[i] {
			d.clock.sees(d.rows[i].at)
		}
	}
}

// chooseLanes gives a lane to each process that a row speaks of. Where they are
// too many, those of the evidence come first, then the others in their order.
func (d *diagram) chooseLanes(c *cast, full bool) {
	used, needed := []station{atQueue}, []station{atQueue}
	for i := range d.rows {
		used = append(used, d.rows[i].stations()...)
		if d.rows[i].mustShow {
			needed = append(needed, d.rows[i].stations()...)
		}
	}
	used, needed = inOrder(c, used), inOrder(c, needed)
	chosen := slices.Clone(needed)
	for _, s := range used {
		if slices.Contains(needed, s) {
			continue
		}
		if len(chosen) < laneLimit || full || s == atStore {
			chosen = append(chosen, s)
			continue
		}
		d.undrawn = append(d.undrawn, s)
	}
	for _, s := range inOrder(c, chosen) {
		d.lanes = append(d.lanes, lane{at: s, title: c.title(s), life: alive})
	}
}

// stations returns the places that a row speaks of.
func (r *row) stations() []station {
	return slices.DeleteFunc([]station{r.from, r.to, r.on}, func(s station) bool { return s == nowhere })
}

func inOrder(c *cast, s []station) []station {
	slices.SortFunc(s, func(a, b station) int { return c.order(a) - c.order(b) })
	return slices.Compact(s)
}

// chooseRows hides the rows of processes without a lane and, of what is left,
// the middle where it is long. Evidence is always shown; what else was done with
// the job that it is about, as far as there is room.
func (d *diagram) chooseRows(full bool) {
	d.shown = make([]bool, len(d.rows))
	var drawable []int
	for i := range d.rows {
		if d.isDrawable(&d.rows[i]) {
			drawable = append(drawable, i)
		}
	}
	for n, i := range drawable {
		isEdge := n < firstRows || n >= len(drawable)-lastRows
		d.shown[i] = full || len(drawable) <= rowLimit || isEdge || d.rows[i].mustShow
	}
	d.addNear(drawable)
	if !full && len(drawable) > rowLimit {
		d.joinGaps(drawable)
	}
}

// joinGaps hides rows at the end that stand alone between rows without a lane: who looks
// for how it ended would read one gap after the other.
func (d *diagram) joinGaps(drawable []int) {
	last := drawable[len(drawable)-lastRows:]
	for n, i := range last {
		isAlone := (n == 0 || last[n-1] < i-1) && (n == len(last)-1 || last[n+1] > i+1)
		d.shown[i] = d.shown[i] && (!isAlone || d.rows[i].mustShow || d.rows[i].isNear)
	}
}

// addNear shows rows about the jobs of the evidence until the page is full.
func (d *diagram) addNear(drawable []int) {
	room := rowLimit
	for _, i := range drawable {
		if d.shown[i] {
			room--
		}
	}
	for _, i := range drawable {
		if !d.shown[i] && d.rows[i].isNear && room > 0 {
			d.shown[i] = true
			room--
		}
	}
}

func (d *diagram) isDrawable(r *row) bool {
	for _, s := range r.stations() {
		if d.lane(s) < 0 {
			return false
		}
	}
	return true
}

// lane returns the index of the lane of s, or -1.
func (d *diagram) lane(s station) int {
	return slices.IndexFunc(d.lanes, func(l lane) bool { return l.at == s })
}

// place puts the lanes as close together as titles, labels and tags allow. Tags
// are drawn by some surfaces only.
func (d *diagram) place(withTags bool) {
	gaps := make([]int, len(d.lanes)+1) // at the left of each lane, and at the right of the last
	for i := 1; i < len(d.lanes); i++ {
		left, right := width(d.lanes[i-1].title), width(d.lanes[i].title)
		gaps[i] = left - left/2 + right/2 + 2
	}
	gaps[0] = width(d.lanes[0].title) / 2
	for i := range d.rows {
		r := &d.rows[i]
		if d.shown[i] && r.from != nowhere {
			gap := &gaps[d.labelGap(r)]
			*gap = max(*gap, r.room()+1)
		}
		if d.shown[i] && withTags && r.tag != "" {
			gap := &gaps[d.tagGap(r)]
			*gap = max(*gap, r.tagAway()+width(r.tag)+1)
		}
	}
	col := 0
	for i := range d.lanes {
		col += gaps[i]
		d.lanes[i].col = col
	}
	d.columns = col + max(1, gaps[len(d.lanes)])
}

// tagAway is how many columns the tag of r stands from its lifeline.
func (r *row) tagAway() int {
	if r.mark == 0 {
		return 2
	}
	return 3
}

// tagGap returns the gap that bears the tag of r, as the index of the lane at its
// right: on the side of its lifeline to which no message comes.
func (d *diagram) tagGap(r *row) int {
	on := d.lane(r.on)
	if r.from == nowhere || d.lane(r.from) < on {
		return on + 1
	}
	return on
}

// labelStart returns the column in which the label of r begins: the middle of its
// gap; where the room is odd, the longer dash is on the side of the head.
func (d *diagram) labelStart(r *row) int {
	right := d.labelGap(r)
	from, to := d.lanes[right-1].col+1, d.lanes[right].col // the columns between
	room := to - from - width(r.label) - 2
	if d.lane(r.to) < right {
		room++
	}
	return from + room/2 + 1
}

// room is how many columns the message of r needs between two lanes.
func (r *row) room() int {
	if r.lost {
		return width(r.label) + len(" X label ~~") - len("label")
	}
	return width(r.label) + len("- label ->") - len("label")
}

// labelGap returns the gap that bears the label of a message, as the index of
// the lane at its right: beside the store or the queue, so that labels of one
// kind stand under each other even when the message passes over a lane.
func (d *diagram) labelGap(r *row) int {
	a, b := d.lane(r.from), d.lane(r.to)
	lo, hi := min(a, b), max(a, b)
	if d.lanes[hi].at == atStore || d.lanes[hi].at == atQueue {
		return hi
	}
	return lo + 1
}

// undrawnNames lists the processes without a lane: the first few by name.
func (d *diagram) undrawnNames(c *cast) string {
	const few = 4
	names := ""
	for i, s := range d.undrawn {
		if i == few {
			return names + " and " + itoa(len(d.undrawn)-few) + " more"
		}
		names = join(names, ", ", c.title(s))
	}
	return names
}
