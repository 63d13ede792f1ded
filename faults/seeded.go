package faults

import (
	"math/bits"
	"slices"
	"time"

	"github.com/ackgap/ackgap/model"
)

// Policy says how much may be drawn in a random world: one rule for each kind
// of mishap that may happen there.
type Policy []Rule

// Rule is one kind of mishap: whom it may befall, how likely it is at each of
// its points, and how bad it may be.
type Rule struct {
	Kind  Kinds    // one of them
	Reply bool     // Drop, Delay: the reply rather than the request
	Ops   []bool   // message kinds: by model.Op, which verbs
	Procs []bool   // other kinds: by model.Proc, which processes
	Rate  uint32   // parts per million of the points, or of the windows
	By    Range    // Delay, Duplicate, Clock: how much
	For   Range    // Pause, Stall, Partition: how long
	Back  Range    // Crash: how long until the restart
	Count IntRange // slots: how many windows, each by Rate
}

// Range is a range of durations, both ends included. Draws from it are even on a
// logarithmic scale, so that a range from a millisecond to a minute has its
// share of each order of magnitude.
type Range struct{ Low, High time.Duration }

// IntRange is a range of numbers, both ends included.
type IntRange struct{ Low, High uint32 }

const million = 1_000_000

// MaxRules is how many rules a policy may have.
const MaxRules = 64

// Seeded is the adversary that a seed draws: what happens at a point is a hash of
// the seed and the point, and of nothing that was asked before. A new message
// moves no other one's dice.
//
// Each seed is a swarm of its own (Groce et al., "Swarm Testing", ISSTA 2012):
// it switches about half of the rules off, never all, so that what one mishap
// hides another seed shows.
type Seeded struct {
	policy  Policy
	about   [2 * sorts]uint64    // by sort of point and side: which rules, as a bit set
	on      uint64               // which rules the seed's swarm leaves on
	streams [MaxRules]model.Seed // by rule
	spread  model.Time           // windows begin before it

	Struck [MaxRules]int // by rule: how often it struck since Reset
}

// NewSeeded returns the adversary of policy, whose windows begin before spread.
// Spread must be positive, and the policy have at most MaxRules rules.
func NewSeeded(policy Policy, spread model.Time) *Seeded {
	s := &Seeded{policy: policy, spread: spread}
	for i := range policy {
		policy[i].mark(&s.about, 1<<i)
	}
	return s
}

// mark sets bit at each sort of point that the rule is about.
func (r *Rule) mark(about *[2 * sorts]uint64, bit uint64) {
	set := func(pt Point) { about[pt.side()] |= bit }
	if r.Kind&(Drop|Delay|Duplicate|Refuse) != 0 {
		for op, yes := range r.Ops {
			if yes {
				set(Point{Family: Message, Op: model.Op(op), Reply: r.Reply})
			}
		}
		return
	}
	if r.Kind&(Crash|Pause) != 0 {
		for step := model.StepClaim; step <= model.StepSleep; step++ {
			set(Point{Family: Step, Step: step})
			set(Point{Family: Step, Step: step, After: true})
		}
	}
	for slot, kind := range slotKinds {
		if kind == r.Kind {
			set(Point{Family: Slot, Slot: SlotKind(slot)})
		}
	}
}

// side numbers the sort of a point and which of its two sides is meant.
func (pt Point) side() uint {
	if pt.Reply || pt.After {
		return sorts + pt.sort()
	}
	return pt.sort()
}

// Reset makes s the adversary of seed.
func (s *Seeded) Reset(seed model.Seed) {
	swarm, chaos := seed.Fork("chaos/swarm"), seed.Fork("chaos")
	n := uint32(len(s.policy))
	s.Struck = [MaxRules]int{}
	if n == 0 {
		return
	}
	s.on = swarm.Hash(0, 0) & (1<<n - 1)
	if s.on == 0 {
		s.on = 1 << model.Below(swarm.Hash(0, 1), n)
	}
	for i := range s.policy {
		s.streams[i] = model.Seed(chaos.Hash(uint64(i), 1))
	}
}

// Hold makes s draw nothing until it is Reset.
func (s *Seeded) Hold() { s.on = 0 }

// Asks reports whether the seed may draw anything at points such as pt.
func (s *Seeded) Asks(pt Point) bool { return s.about[pt.side()]&s.on != 0 }

// Decide draws what happens at pt.
func (s *Seeded) Decide(pt Point) Outcome {
	var all Outcome
	for rules := s.about[pt.side()] & s.on; rules != 0; rules &= rules - 1 {
		i := bits.TrailingZeros64(rules)
		r := &s.policy[i]
		if pt.Family != Message && !r.befalls(pt.Proc) {
			continue
		}
		d := dice{s.streams[i], pt, 0}
		if o := r.draw(&d, s.spread); !o.Benign() {
			if pt.Family != Slot {
				s.Struck[i]++
			}
			all = merge(all, o)
		}
	}
	return all
}

// MarkFired notes that a drawn window has changed something, which is when its
// rule has struck.
func (s *Seeded) MarkFired(pt Point) {
	for rules := s.about[pt.side()] & s.on; rules != 0; rules &= rules - 1 {
		if i := bits.TrailingZeros64(rules); s.policy[i].befalls(pt.Proc) {
			s.Struck[i]++
		}
	}
}

// Befell notes what another adversary did at pt, as done by the first rule that can.
func (s *Seeded) Befell(pt Point, o Outcome) {
	for one := range o.Each {
		if i := slices.IndexFunc(s.policy, func(r Rule) bool { return r.can(pt, one) }); i >= 0 {
			s.Struck[i]++
		}
	}
}

var slotKinds = [...]Kinds{
	SlotCrash: Crash, SlotPause: Pause, SlotStall: Stall, SlotPartition: Partition, SlotClock: Clock,
}

// SlotOf returns in which slot a kind of mishap has its windows, if it has some.
func SlotOf(kind Kinds) (SlotKind, bool) {
	i := slices.Index(slotKinds[:], kind)
	return SlotKind(i), i > 0 // 0 is no slot
}

func (r *Rule) befalls(p model.Proc) bool { return int(p) < len(r.Procs) && r.Procs[p] }

// draw rolls for one point, or for the Nth window of a slot.
func (r *Rule) draw(d *dice, spread model.Time) Outcome {
	if d.point.Family == Slot {
		if d.point.Nth > r.windows(d) {
			return Outcome{}
		}
	} else if !d.strikes(r.Rate) {
		return Outcome{}
	}
	return r.outcome(d, spread)
}

// Strike draws by seed how bad it is where the rule strikes at pt. Its rate does not count. A
// window begins before spread.
func (r *Rule) Strike(seed model.Seed, pt Point, spread model.Time) Outcome {
	return r.outcome(&dice{seed, pt, 0}, spread)
}

// outcome draws how bad it is where the rule strikes.
func (r *Rule) outcome(d *dice, spread model.Time) Outcome {
	o := Outcome{Kinds: r.Kind, Restarts: r.Kind == Crash}
	if long, within := r.Extent(&o); long != nil {
		*long = d.within(within)
	}
	if d.point.Family == Slot && !o.lasts(d.point) {
		o.At = model.Time(d.roll()%uint64(spread)) / ms * ms
	}
	return o
}

// Extent returns how bad an outcome of the rule is, and how bad it may be; nil where there is
// no more or less.
func (r *Rule) Extent(o *Outcome) (*time.Duration, Range) {
	switch r.Kind {
	case Delay, Clock:
		return &o.By, r.By
	case Duplicate:
		return &o.After, r.By
	case Pause, Stall, Partition:
		return &o.For, r.For
	case Crash:
		return &o.Restart, r.Back
	}
	return nil, Range{}
}

// lasts reports whether o is there from the start to the end of a run: a clock
// that is off, other than the queue's, which steps.
func (o *Outcome) lasts(pt Point) bool { return o.Kinds == Clock && pt.Proc != Queue }

const ms = model.Time(time.Millisecond)

// windows returns how many windows a slot holds: a number from Count, of which
// each stays by Rate. It is the same for every Nth.
func (r *Rule) windows(d *dice) int32 {
	all := dice{d.seed, d.point, 0}
	all.point.Nth = 0
	n := min(r.Count.Low+model.Below(all.roll(), r.Count.High-r.Count.Low+1), r.most(d.point.Proc))
	left := int32(0)
	for range n {
		if all.strikes(r.Rate) {
			left++
		}
	}
	return left
}

// most is how many windows a slot of p may hold: a clock that is off is so from the start.
func (r *Rule) most(p model.Proc) uint32 {
	if r.Kind == Clock && p != Queue {
		return min(r.Count.High, 1)
	}
	return r.Count.High
}

// may reports whether r can do something at pt, where it is about its sort: to that process,
// and in a slot no window beyond the last.
func (r *Rule) may(pt Point) bool {
	return pt.Family == Message || r.befalls(pt.Proc) && (pt.Family != Slot || uint32(pt.Nth) <= r.most(pt.Proc))
}

// can reports whether r can do o at pt. It may take less time than the rule says, for what
// lasts ends when all goes quiet.
func (r *Rule) can(pt Point, o Outcome) bool {
	var about [2 * sorts]uint64
	if r.mark(&about, 1); r.Kind != o.Kinds || about[pt.side()] == 0 || !r.may(pt) {
		return false
	}
	long, within := r.Extent(&o)
	mayEnd := r.Kind&(Crash|Pause|Stall|Partition) != 0
	return long == nil || *long <= within.High && (mayEnd || *long >= within.Low)
}

// Allows reports whether a rule can do o at pt.
func (p Policy) Allows(pt Point, o Outcome) bool {
	return slices.ContainsFunc(p, func(r Rule) bool { return r.can(pt, o) })
}

// dice are the draws at one point: the first, the second, ... of its address.
type dice struct {
	seed  model.Seed
	point Point
	drawn uint64
}

func (d *dice) roll() uint64 {
	d.drawn++
	a, b := d.point.Address()
	return model.Seed(d.seed.Hash(a, b)).Hash(d.drawn, 0)
}

func (d *dice) strikes(rate uint32) bool { return model.Below(d.roll(), million) < rate }

// within draws from r: first which doubling of its low end, then where in that.
// Draws are whole milliseconds where the low end is one.
func (d *dice) within(r Range) time.Duration {
	if r.High <= r.Low {
		return r.Low
	}
	if r.Low < 0 { // no logarithm reaches there
		return r.Low + time.Duration(d.roll()%uint64(r.High-r.Low+1))
	}
	low := max(r.Low, 1)
	doublings := bits.Len64(uint64(r.High / low))
	from := low << model.Below(d.roll(), uint32(doublings))
	v := min(from+time.Duration(d.roll()%uint64(from)), r.High)
	if r.Low >= time.Millisecond {
		v = v.Truncate(time.Millisecond)
	}
	return max(v, r.Low)
}

// Address packs the point into two words, under which it is drawn: no two points
// share them.
func (pt *Point) Address() (a, b uint64) {
	what := uint64(pt.Op)
	switch pt.Family {
	case Step:
		what = uint64(pt.Step)
	case Slot:
		what = uint64(pt.Slot)
	}
	a = uint64(pt.Family) | what<<2 | uint64(uint16(pt.Proc))<<8 | uint64(uint32(pt.Nth))<<32
	if pt.Reply || pt.After {
		a |= 1 << 7
	}
	if pt.Family == Slot {
		return a, uint64(uint16(pt.Peer))
	}
	return a, uint64(uint32(pt.Job)) | uint64(uint32(pt.N))<<32
}
