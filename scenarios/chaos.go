package scenarios

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// referenceStory is the story whose chaos lines stand for all stories that have
// none of their own.
const referenceStory = "reference"

// defaultSpread is how long windows may begin in a story that is never quiet.
const defaultSpread = 2 * time.Minute

// crossing are the verbs that cross the network; a call to the outside service
// is among them only where a worker makes such calls.
var crossing = []model.Op{model.OpEnqueue, model.OpClaim, model.OpComplete, model.OpRetry, model.OpExtend}

// chaosOf returns what may be drawn in the random worlds of s, and from when on
// nothing is: its own lines, or those of the reference story.
func (s *Story) chaosOf() ([]Chaos, time.Duration, error) {
	if len(s.Chaos) > 0 {
		return s.Chaos, s.Quiet, nil
	}
	ref, err := Load(referenceStory)
	if err != nil {
		return nil, 0, err
	}
	quiet := ref.Quiet
	if s.Quiet > 0 {
		quiet = s.Quiet
	}
	return s.adopt(ref), quiet, nil
}

// adopt translates the chaos of another story into this one's names: a line about
// processes is about all of their roles. A line about roles that nobody has here
// is left out, for one that names no process is about all.
func (s *Story) adopt(ref *Story) []Chaos {
	theirs, ours := ref.Cast(), s.Cast()
	var list []Chaos
	for _, c := range ref.Chaos {
		if s.resends() && c.Kind == faults.Drop && c.Reply && slices.Equal(c.Ops, []model.Op{model.OpEnqueue}) {
			continue
		}
		if len(c.Procs) > 0 {
			if c.Procs = ours.alike(theirs, c.Procs); len(c.Procs) == 0 {
				continue
			}
		}
		list = append(list, c)
	}
	return list
}

// alike returns the processes of c that have a role of one of procs in other.
func (c *Cast) alike(other *Cast, procs []model.Proc) []model.Proc {
	var list []model.Proc
	for p := model.Proc(1); int(p) < len(c.Names.Procs); p++ {
		if slices.ContainsFunc(procs, func(q model.Proc) bool { return other.Actor(q).Role == c.Actor(p).Role }) {
			list = append(list, p)
		}
	}
	return list
}

// resends reports whether a producer sends an unanswered enqueue again. The
// reference has none: a second enqueue of a job that is done already admits it
// once more, as built, and lies outside of what the envelope claims. To such a
// story no answer of an enqueue is lost.
func (s *Story) resends() bool {
	return slices.ContainsFunc(s.Producers, func(p Producer) bool { return p.Retries > 0 })
}

// policy puts chaos lines into rules for the adversary.
func (s *Story) policy(lines []Chaos) faults.Policy {
	cast := s.Cast()
	var policy faults.Policy
	for i := range lines {
		c := &lines[i]
		policy = append(policy, faults.Rule{
			Kind: c.Kind, Reply: c.Reply, Rate: uint32(c.Rate),
			Ops: s.struckOps(c), Procs: struckProcs(c, cast),
			By: c.reach(), For: faults.Range(c.For), Back: faults.Range(c.Restart),
			Count: faults.IntRange{Low: uint32(c.Count.Low), High: uint32(c.Count.High)},
		})
	}
	return policy
}

// reach returns the range of By: of a clock it is the jump.
func (c *Chaos) reach() faults.Range {
	if c.Kind == faults.Clock {
		return faults.Range(c.Jump)
	}
	return faults.Range(c.By)
}

// struckOps returns by model.Op which messages a line may befall.
func (s *Story) struckOps(c *Chaos) []bool {
	if !isMessageKind(c.Kind) {
		return nil
	}
	set := make([]bool, model.OpApply+1)
	ops := c.Ops
	switch {
	case c.Kind == faults.Refuse:
		ops = []model.Op{model.OpApply}
	case len(ops) == 0:
		ops = crossing
		if slices.ContainsFunc(s.Workers, func(w Worker) bool { return w.Consumer.Calls() }) {
			ops = append(slices.Clone(ops), model.OpApply)
		}
	}
	for _, op := range ops {
		set[op] = true
	}
	return set
}

// struckProcs returns by model.Proc whom a line may befall.
func struckProcs(c *Chaos, cast *Cast) []bool {
	if isMessageKind(c.Kind) {
		return nil
	}
	set := make([]bool, len(cast.Names.Procs))
	for p := model.Proc(1); int(p) < len(set); p++ {
		named := len(c.Procs) == 0 || slices.Contains(c.Procs, p)
		set[p] = named && sparedFrom(c.Kind, cast.Actor(p)) == ""
	}
	return set
}

// drawn is the adversary of a random world: it draws from a seed until it is
// quiet, and writes down what it drew, so that the world can be told as a story.
type drawn struct {
	by interface {
		faults.Selective
		MarkFired(faults.Point)
		Befell(faults.Point, faults.Outcome)
	}
	struck *[faults.MaxRules]int // of by
	clock  interface{ Now() model.Time }
	quiet  model.Time // 0: never
	policy faults.Policy
	plan   faults.Plan

	besides *faults.Planned // decides where the seed draws nothing; nil: nobody
	windows []faults.Point  // those that are of besides
}

// Asks reports whether anything may happen at points such as pt.
func (d *drawn) Asks(pt faults.Point) bool {
	return d.by.Asks(pt) || d.besides != nil && d.besides.Asks(pt)
}

// Decide draws what happens at pt. From quiet on nothing is drawn, and all that
// was drawn before is over by then: no window of a plan besides begins later. A window
// that would begin together with an earlier one of its slot is the end of the slot: a plan
// could not tell the two apart.
func (d *drawn) Decide(pt faults.Point) faults.Outcome {
	now := d.clock.Now()
	if d.quiet > 0 && now >= d.quiet {
		return faults.Outcome{}
	}
	o := d.by.Decide(pt)
	if d.besides != nil && o.Benign() {
		o = d.decideBesides(pt)
	}
	if o.Benign() || pt.Family == faults.Slot && (d.begins(pt, o.At) || d.quiet > 0 && o.At >= d.quiet) {
		return faults.Outcome{}
	}
	if d.quiet > 0 {
		left := d.quiet.Sub(max(now, o.At))
		o.For, o.Restart = min(o.For, left), min(o.Restart, left)
	}
	for one := range o.Each {
		d.plan = append(d.plan, faults.Entry{Point: pt, Outcome: one, Optional: pt.Family == faults.Slot})
	}
	return o
}

// decideBesides lets besides decide, who opens no more windows than the chaos lines do. A
// window counts when it fires, all else at once.
func (d *drawn) decideBesides(pt faults.Point) faults.Outcome {
	o := d.besides.Decide(pt)
	switch {
	case o.Benign():
	case pt.Family == faults.Slot && !d.policy.Allows(pt, o):
		return faults.Outcome{}
	case pt.Family == faults.Slot:
		d.windows = append(d.windows, pt)
	default:
		d.by.Befell(pt, o)
	}
	return o
}

// begins reports whether a window of the slot pt begins at at already.
func (d *drawn) begins(pt faults.Point, at model.Time) bool {
	return slices.ContainsFunc(d.plan, func(e faults.Entry) bool {
		e.Point.Nth = pt.Nth
		return e.Point == pt && e.Outcome.At == at
	})
}

// MarkFired notes that the window at pt has changed something: told as a story it
// has to do so again. Until then it is written `fault?`.
func (d *drawn) MarkFired(pt faults.Point) {
	others := slices.Contains(d.windows, pt)
	if !others {
		d.by.MarkFired(pt)
	}
	for i := range d.plan {
		if d.plan[i].Point == pt {
			d.plan[i].Optional = false
			if others {
				d.by.Befell(pt, d.plan[i].Outcome)
			}
		}
	}
}
