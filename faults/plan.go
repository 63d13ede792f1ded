package faults

import "github.com/ackgap/ackgap/model"

// Every cast begins with these two: the queue, and the pump beside it.
const (
	Queue model.Proc = 1
	Pump  model.Proc = 2
)

// Entry is one fault of a plan: what happens at one point. Its Outcome has
// exactly one kind; where a point has several entries, NewPlanned merges them.
type Entry struct {
	Point    Point
	Outcome  Outcome
	Line     int  // where it was written, from 1; 0 when it was drawn
	Optional bool // `fault?`: that it never fires is no failure
}

// Plan is the sparse list of the points of one run whose outcome is not benign.
type Plan []Entry

// Builder puts a plan together, entry by entry. It numbers the windows and
// refuses a second fault of one kind at one point. The zero Builder is empty.
type Builder struct {
	plan    Plan
	seen    map[identity]int // index into plan
	windows map[Point]int32
}

// identity is what two entries of a plan must not share. Windows of one slot
// differ by when they begin.
type identity struct {
	point Point
	kinds Kinds
	at    model.Time
}

// Add appends e. When an earlier entry says the same kind of the same point,
// nothing is appended, and that entry and false are returned. The windows of
// one slot get Nth 1, 2, ... in the order in which they are added.
func (b *Builder) Add(e Entry) (clash Entry, ok bool) {
	id := identity{point: e.Point, kinds: e.Outcome.Kinds}
	if e.Point.Family == Slot {
		id.point.Nth, id.at = 0, e.Outcome.At
	}
	if at, taken := b.seen[id]; taken {
		return b.plan[at], false
	}
	if b.seen == nil {
		b.seen, b.windows = map[identity]int{}, map[Point]int32{}
	}
	if e.Point.Family == Slot {
		b.windows[id.point]++
		e.Point.Nth = b.windows[id.point]
	}
	b.seen[id] = len(b.plan)
	b.plan = append(b.plan, e)
	return Entry{}, true
}

// Plan returns what was added.
func (b *Builder) Plan() Plan { return b.plan }
