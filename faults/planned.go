package faults

// Planned is the adversary that follows a plan and nothing else. Decide is a
// lookup and allocates nothing. Reset makes it that of another plan.
type Planned struct {
	plan  Plan
	fired []bool          // parallel to plan
	first map[Point]int32 // where a point stands first in a plan that is long; nil: it is searched
	kinds uint64          // bit set of the sorts of points that the plan names
}

// searched is how long a plan may be to be searched from its start: nearly all are.
const searched = 16

// NewPlanned returns the adversary of plan. Entries of different kinds at one
// point are merged: a request can be late and doubled. The plan is kept, not
// copied.
func NewPlanned(plan Plan) *Planned {
	p := &Planned{}
	p.Reset(plan)
	return p
}

// Reset makes p what NewPlanned returns, with the memory that it has.
func (p *Planned) Reset(plan Plan) {
	p.plan, p.fired, p.first, p.kinds = plan, p.fired[:0], nil, 0
	for i := range plan {
		p.fired = append(p.fired, false)
		p.kinds |= 1 << plan[i].Point.sort()
	}
	if len(plan) <= searched {
		return
	}
	p.first = make(map[Point]int32, len(plan))
	for i := len(plan) - 1; i >= 0; i-- {
		p.first[plan[i].Point] = int32(i)
	}
}

// at yields the places in the plan of the entries at exactly pt.
func (p *Planned) at(pt Point) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		from := 0
		if p.first != nil {
			i, named := p.first[pt]
			if !named {
				return
			}
			from = int(i)
		}
		for i := from; i < len(p.plan); i++ {
			if p.plan[i].Point == pt && !yield(i) {
				return
			}
		}
	}
}

// sorts is how many sorts of points there are at most.
const sorts = 64

// sort numbers what a point is about, below sorts: its verb, step or slot.
func (pt Point) sort() uint {
	switch pt.Family {
	case Message:
		return uint(pt.Op)
	case Step:
		return 32 + uint(pt.Step)
	}
	return 48 + uint(pt.Slot)
}

// Asks reports whether the plan names any point of the sort of pt. Where it does
// not, nothing happens at pt whatever its number.
func (p *Planned) Asks(pt Point) bool { return p.kinds>>pt.sort()&1 != 0 }

// merge adds to a the fields that the kinds of b fill.
func merge(a, b Outcome) Outcome {
	a.Kinds |= b.Kinds
	if b.Kinds&(Delay|Clock) != 0 {
		a.By = b.By
	}
	if b.Has(Duplicate) {
		a.After = b.After
	}
	if b.Kinds&(Pause|Stall|Partition) != 0 {
		a.For, a.Oneway = b.For, b.Oneway
	}
	if b.Has(Crash) {
		a.Restart, a.Restarts, a.Lose = b.Restart, b.Restarts, b.Lose
	}
	a.At = max(a.At, b.At)
	return a
}

// Each yields one Outcome for each kind in o, with the fields that the kind
// fills: what merge puts together.
func (o Outcome) Each(yield func(Outcome) bool) {
	for kinds := o.Kinds; kinds != 0; kinds &= kinds - 1 {
		kind := kinds & -kinds
		one := merge(Outcome{}, Outcome{Kinds: kind, By: o.By, After: o.After, At: o.At, For: o.For,
			Restart: o.Restart, Restarts: o.Restarts, Lose: o.Lose, Oneway: o.Oneway})
		if !yield(one) {
			return
		}
	}
}

// Decide returns what the plan says of pt. A message or a step that is asked
// about occurs, so its entries have fired; a slot is asked about at the start,
// and its window fires when the kernel says so by MarkFired.
func (p *Planned) Decide(pt Point) Outcome {
	if !p.Asks(pt) {
		return Outcome{}
	}
	outcome := p.take(pt)
	if pt.Reply {
		pt.Nth = FirstReply
		for i := range p.at(pt) {
			if !p.fired[i] {
				outcome = merge(outcome, p.take(pt))
			}
			break
		}
	}
	return outcome
}

// take returns what the plan says of exactly pt, whose entries have fired if it
// is no slot.
func (p *Planned) take(pt Point) (outcome Outcome) {
	for i := range p.at(pt) {
		outcome = merge(outcome, p.plan[i].Outcome)
		p.fired[i] = p.fired[i] || pt.Family != Slot
	}
	return outcome
}

// MarkFired notes that the window at the slot pt changed something. A slot that
// the plan does not name is ignored.
func (p *Planned) MarkFired(pt Point) {
	for i := range p.at(pt) {
		p.fired[i] = true
	}
}

// Fired reports whether entry i of the plan has fired.
func (p *Planned) Fired(i int) bool { return p.fired[i] }

// Unfired returns the entries that never fired though they had to, in the order
// of the plan.
func (p *Planned) Unfired() []Entry {
	var idle []Entry
	for i, e := range p.plan {
		if !p.fired[i] && !e.Optional {
			idle = append(idle, e)
		}
	}
	return idle
}
