package faults

import (
	"math/bits"
	"slices"

	"github.com/ackgap/ackgap/model"
)

// Priorities is a second adversary that a seed draws. Seeded rolls at every point, by
// the rates of the rules; Priorities picks a few points beforehand, anywhere in the
// run with equal chances, and strikes there for certain.
//
// It is made after probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi
// and Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding
// Bugs", ASPLOS 2010). There a run of depth d has d-1 change points among its k steps,
// at which who has the highest priority gets the lowest, and keeps it until the next.
// Here the steps are the points at which some rule may strike, in the order in which
// they are asked. At a change point a rule that can strike there does, and by the toss
// of a coin goes on to strike that job at every point of that sort, in this delivery
// and the next, up to the next change point. So a seed that draws the depth d, as one
// in three does, meets d-1 mishaps at d-1 given steps, each by a given one of r rules,
// with a chance of at least 1/(2 r k)^(d-1), whatever the rates are.
//
// Other than Seeded it counts what it is asked, so its draws depend on what came
// before. The same seed in the same world draws the same; a plan of what it drew does
// not lean on it.
type Priorities struct {
	*Seeded // its rules, streams and marks; never its rates
	dice    model.Seed
	changes [MaxDepth - 1]uint32 // which of the points that are asked, from 0; or never
	asked   uint32
	low     struct { // what is struck again and again, if anything is
		rules uint64
		side  uint
		job   model.Job
	}
}

// MaxDepth is the largest depth that a seed of Priorities draws; the smallest is 2.
const MaxDepth = 4

const never = 1<<32 - 1

// NewPriorities returns the adversary of policy, whose windows begin before spread, as
// for NewSeeded.
func NewPriorities(policy Policy, spread model.Time) *Priorities {
	return &Priorities{Seeded: NewSeeded(policy, spread)}
}

// Reset makes p the adversary of seed in a world that asks about so many points; with
// 0 it only counts them.
func (p *Priorities) Reset(seed model.Seed, points uint32) {
	p.Seeded.Reset(seed)
	p.on = 1<<len(p.policy) - 1
	p.asked, p.low.rules, p.dice = 0, 0, seed.Fork("chaos/priorities")
	depth := 2 + model.Below(p.dice.Hash(0, 0), MaxDepth-1)
	for i := range p.changes {
		if p.changes[i] = never; points > 0 && uint32(i) < depth-1 {
			p.changes[i] = model.Below(p.dice.Hash(1, uint64(i)), points)
		}
	}
}

// Asked returns about how many points it was asked since Reset at which a rule can
// strike.
func (p *Priorities) Asked() uint32 { return p.asked }

// Decide strikes at pt if it is a change point, or like the one before it. A slot holds
// one window at most.
func (p *Priorities) Decide(pt Point) Outcome {
	rules := p.striking(pt)
	if rules == 0 || pt.Family == Slot && pt.Nth > 1 {
		return Outcome{}
	}
	p.asked++
	if slices.Contains(p.changes[:], p.asked-1) {
		return p.change(rules, pt)
	}
	if pt.side() == p.low.side && pt.Job == p.low.job {
		return p.strike(rules&p.low.rules, pt)
	}
	return Outcome{}
}

// striking returns which rules can strike at pt, as a bit set.
func (p *Priorities) striking(pt Point) uint64 {
	rules := p.about[pt.side()] & p.on
	if pt.Family == Message {
		return rules
	}
	for list := rules; list != 0; list &= list - 1 {
		if i := bits.TrailingZeros64(list); !p.policy[i].may(pt) {
			rules &^= 1 << i
		}
	}
	return rules
}

// change lets one of these rules strike, and decides whether it goes on.
func (p *Priorities) change(rules uint64, pt Point) Outcome {
	toss := p.dice.Hash(2, uint64(p.asked))
	for range model.Below(toss, uint32(bits.OnesCount64(rules))) {
		rules &= rules - 1
	}
	rules &= -rules
	if p.low.rules = 0; toss&1 == 1 && pt.Family != Slot {
		p.low.rules, p.low.side, p.low.job = rules, pt.side(), pt.Job
	}
	return p.strike(rules, pt)
}

// strike lets the rule, one or none, strike at pt.
func (p *Priorities) strike(rule uint64, pt Point) Outcome {
	if rule == 0 {
		return Outcome{}
	}
	i := bits.TrailingZeros64(rule)
	if pt.Family != Slot {
		p.Struck[i]++
	}
	return p.policy[i].outcome(&dice{p.streams[i], pt, 0}, p.spread)
}
