package generals

import (
	"fmt"
	"slices"
)

// Census is what became of every rule of a world. Each is in one of the four
// columns of the naive consumer.
type Census struct {
	World World
	Runs  int // each rule goes through all of them
	Rules int

	LoseOnly   int // rules that leave 0 effects in some run, and never 2 or more
	DoubleOnly int // rules that leave 2 or more in some run, and never 0
	Both       int
	Neither    int // 0: this is what is shown

	Refuted    int // rules for which Refute finds its pair: all of them
	WithMarker int // rules that leave exactly 1 effect in every run with an atomic marker
}

// Shown reports whether the census shows what it is to show: no rule is safe, all
// have their pair, and a marker saves exactly those that never lose.
func (c *Census) Shown() bool {
	return c.Neither == 0 && c.Refuted == c.Rules && c.WithMarker == c.DoubleOnly
}

// TakeCensus tries every rule of w in every run of w. The error says that w is none
// of Worlds.
func TakeCensus(w World) (Census, error) {
	if err := w.check(); err != nil {
		return Census{}, err
	}
	runs := w.Runs()
	c := Census{World: w, Runs: len(runs), Rules: w.Rules()}
	for r := range c.Rules {
		c.add(Rule(r), runs)
	}
	return c, nil
}

func (c *Census) add(r Rule, runs []Fates) {
	loses, doubles := c.World.worst(r, runs, false)
	switch {
	case loses && doubles:
		c.Both++
	case loses:
		c.LoseOnly++
	case doubles:
		c.DoubleOnly++
	default:
		c.Neither++
	}
	if _, ok := c.World.refute(r, runs); ok {
		c.Refuted++
	}
	if loses, doubles = c.World.worst(r, runs, true); !loses && !doubles {
		c.WithMarker++
	}
}

// worst reports whether r loses the job in one of the runs, and whether it
// doubles its effect in one.
func (w World) worst(r Rule, runs []Fates, marker bool) (loses, doubles bool) {
	for _, s := range runs {
		n := w.Play(r, s, marker).Effects
		loses, doubles = loses || n == 0, doubles || n > 1
		if loses && doubles {
			break
		}
	}
	return loses, doubles
}

// Pair refutes a rule: two runs that differ in one delivery, whose work never
// ran in the first and ran in the second. The queue sees and does the same in
// both, and at least one leaves a number of effects other than 1.
type Pair struct {
	World    World
	Rule     Rule
	Delivery int // the instant of the delivery in which they differ: of J#1, 0, in all that Refute finds
	Lost     Fates
	Done     Fates
	InLost   Course // of the rule in Lost
	InDone   Course // and in Done: one effect more
}

// Refute returns the pair with the fewest faults that refutes rule in w. There
// is one for every rule: whatever number of effects it leaves in the one run, it
// leaves one more in the other, and both cannot be 1. The error says that w is
// none of Worlds or has no such rule; ok is false if rule could not be refuted.
func Refute(w World, rule Rule) (p Pair, ok bool, err error) {
	if err := w.check(); err != nil {
		return Pair{}, false, err
	}
	if int64(rule) >= int64(w.Rules()) {
		return Pair{}, false, fmt.Errorf("there is no rule %d: %s has the rules 0 to %d", rule, w, w.Rules()-1)
	}
	p, ok = w.refute(rule, w.Runs())
	return p, ok, nil
}

func (w World) refute(rule Rule, runs []Fates) (Pair, bool) {
	for _, s := range runs {
		for i, f := range s {
			if f.Ran() {
				continue // its pair is tried from the other side
			}
			done := slices.Clone(s)
			done[i] = f.Twin()
			p := Pair{World: w, Rule: rule, Delivery: i, Lost: s, Done: done,
				InLost: w.Play(rule, s, false), InDone: w.Play(rule, done, false)}
			if p.Refutes() {
				return p, true
			}
		}
	}
	return Pair{}, false
}

// Refutes reports whether the queue cannot tell the two runs apart, the truth
// differs, and the rule fails in one of them.
func (p *Pair) Refutes() bool {
	a, b := p.InLost, p.InDone
	return a.Effects != b.Effects && (a.Effects != 1 || b.Effects != 1) && a.View() == b.View()
}
