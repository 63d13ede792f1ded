package coverage

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// blows is how many lines strike in a world, at one delivery each or at several that follow:
// enough that in a story of few lines each strikes.
const blows = 4

// striker aims at the points of a story before any of its worlds has run. It knows of the
// chaos lines what each may befall, and how bad it may be, and minds no rates: a mishap that
// is rare is met as soon as any other. Lines, and the sorts of points of each, are dealt as
// cards are: none comes again before all others did.
type striker struct {
	dice   model.Seed
	n, k   uint64 // the kth draw of the nth world is next
	lines  []line
	deck   deck // of lines
	spans  []time.Duration
	jobs   int
	spread model.Time
	seen   []model.Time // when something happened in the world before
}

// line is a chaos line, and the sorts of points at which it may strike.
type line struct {
	rule *faults.Rule
	at   []faults.Point
	deck deck // of at
}

func newStriker(c *scenarios.Campaign, first uint64) striker {
	t := striker{dice: model.Seed(first).Fork("coverage/strike"), spans: spansOf(c.Story), jobs: len(c.Story.Jobs) + len(c.Story.Spoken)}
	cast := c.Story.Cast()
	policy, spread := c.Policy()
	t.spread = spread
	for i := range policy {
		l := line{rule: &policy[i]}
		l.messages(t.jobs)
		l.steps(cast)
		l.slots()
		if l.deck.size = len(l.at); len(l.at) > 0 && t.jobs > 0 {
			t.lines = append(t.lines, l)
		}
	}
	t.deck.size = len(t.lines)
	return t
}

// messages adds those of each verb. That the only job never comes in is left to the seeds:
// nothing is seen in such a world.
func (l *line) messages(jobs int) {
	for op, yes := range l.rule.Ops {
		pt := faults.Point{Family: faults.Message, Op: model.Op(op), Reply: l.rule.Reply}
		if yes && !(jobs == 1 && pt.Op.Admits() && l.rule.Kind == faults.Drop && !pt.Reply) {
			l.at = append(l.at, pt)
		}
	}
}

// steps adds both sides of each step of those whom a crash or a pause may befall. Who takes
// it is not known beforehand. Nobody is struck before a claim, but in a window.
func (l *line) steps(cast *scenarios.Cast) {
	for p, yes := range l.rule.Procs {
		if !yes || l.rule.Kind&(faults.Crash|faults.Pause) == 0 {
			continue
		}
		for _, step := range cast.Actor(model.Proc(p)).Steps {
			for _, after := range []bool{false, true} {
				pt := faults.Point{Family: faults.Step, Step: step, After: after}
				if (after || step != model.StepClaim) && !slices.Contains(l.at, pt) {
					l.at = append(l.at, pt)
				}
			}
		}
	}
}

// slots adds a window of each whom the line may befall in one.
func (l *line) slots() {
	slot, ok := faults.SlotOf(l.rule.Kind)
	for p, yes := range l.rule.Procs {
		if !yes || !ok || l.rule.Count.High == 0 {
			continue
		}
		pt := faults.Point{Family: faults.Slot, Slot: slot, Proc: model.Proc(p), Nth: 1}
		if pt.Slot == faults.SlotPartition {
			pt.Peer = faults.Queue
		}
		l.at = append(l.at, pt)
	}
}

// spansOf lists the spans that the story names: what comes just after one of them meets
// what the story does then.
func spansOf(s *scenarios.Story) (list []time.Duration) {
	q := &s.Queue
	list = append(list, q.Lease, q.RetryDelay, q.ReapEvery, q.PromoteEvery, q.SweepEvery)
	for i := range s.Producers {
		list = append(list, s.Producers[i].Timeout)
	}
	for i := range s.Workers {
		w := &s.Workers[i]
		list = append(list, w.Work, w.Heartbeat, w.Timeout, w.MarkerLife)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(d time.Duration) bool { return d <= 0 })
}

// once reports whether each line can strike in one world.
func (t *striker) once() bool { return len(t.lines) > 0 && len(t.lines) <= blows }

// strike adds to b what befalls the nth world: several lines, about half of the time one
// job and else any, by the toss of a coin again at the deliveries that follow. In the first
// world each strikes a first delivery, and once.
func (t *striker) strike(n uint64, b *faults.Builder) {
	if t.n, t.k = n, 0; len(t.lines) == 0 {
		return
	}
	focus := t.job()
	for range t.strikes() {
		l := &t.lines[t.deck.deal(t)]
		pt := l.at[l.deck.deal(t)]
		if pt.Job = focus; t.coin() {
			pt.Job = t.job()
		}
		from, more := int32(1), 0
		for n > 0 && from < 3 && t.pick(3) == 0 {
			from++
		}
		if n > 0 && t.coin() {
			more = 1 + t.pick(2)
		}
		if pt.Family == faults.Slot {
			from, more = 1, 0
		}
		for i := range more + 1 {
			t.at(b, l.rule, pt, from+int32(i))
		}
	}
}

func (t *striker) strikes() int {
	if t.n == 0 {
		return min(blows, len(t.lines))
	}
	return blows
}

// at adds that the rule strikes at pt the nth time that something such happens to its job:
// in its nth delivery, or the nth of one. The answer to an enqueue or to a heartbeat is the first
// that comes, whatever n is.
func (t *striker) at(b *faults.Builder, r *faults.Rule, pt faults.Point, n int32) {
	switch {
	case pt.Family == faults.Slot:
		pt.Job = model.NoJob
	case pt.Op.Admits():
		pt.Nth = n
	case pt.Op == model.OpExtend && t.coin():
		pt.N, pt.Nth = 1, n
	default:
		pt.N, pt.Nth = n, 1
	}
	if pt.Reply {
		pt.Nth = faults.FirstReply
	}
	e := faults.Entry{Point: pt, Outcome: t.outcome(r, pt), Optional: true}
	if pt.Family != faults.Step {
		b.Add(e)
		return
	}
	for p, yes := range r.Procs { // one of them takes it
		if e.Point.Proc = model.Proc(p); yes {
			b.Add(e)
		}
	}
}

// outcome draws how bad it is, from the range of the line: anything there, or just after a span
// of the story. A window opens when something happened in the world before.
func (t *striker) outcome(r *faults.Rule, pt faults.Point) faults.Outcome {
	t.k++
	o := r.Strike(model.Seed(t.dice.Hash(t.n, t.k)), pt, t.spread)
	if o.At > 0 && len(t.seen) > 0 {
		o.At = t.seen[t.pick(len(t.seen))].FloorMillis()
	}
	if long, within := r.Extent(&o); long != nil && t.coin() {
		t.fit(long, within)
	}
	return o
}

// fit makes it as long as a span of the story, or up to a tenth longer, if there is one in
// that range.
func (t *striker) fit(long *time.Duration, within faults.Range) {
	var fits []time.Duration
	for _, span := range t.spans {
		span = (span + span/1000*time.Duration(t.pick(100))).Truncate(time.Millisecond)
		if within.Low <= span && span <= within.High {
			fits = append(fits, span)
		}
	}
	if len(fits) > 0 {
		*long = fits[t.pick(len(fits))]
	}
}

// saw remembers when something happened in a world while windows might begin.
func (t *striker) saw(h *model.History) {
	t.seen = t.seen[:0]
	for i := range h.Events {
		if e := &h.Events[i]; (e.Kind == model.Sent || e.Kind == model.Applied) && e.At < t.spread {
			t.seen = append(t.seen, e.At)
		}
	}
}

func (t *striker) job() model.Job { return model.Job(1 + t.pick(t.jobs)) }

func (t *striker) coin() bool { return t.pick(2) == 0 }

// pick draws one of so many.
func (t *striker) pick(of int) int {
	t.k++
	return int(model.Below(t.dice.Hash(t.n, t.k), uint32(of)))
}

// deck deals the numbers below size in any order, and when all are gone all of them again.
type deck struct {
	size int
	left []int
}

func (d *deck) deal(t *striker) int {
	if len(d.left) == 0 {
		for i := range d.size {
			d.left = append(d.left, i)
		}
	}
	i := t.pick(len(d.left))
	card := d.left[i]
	d.left = slices.Delete(d.left, i, i+1)
	return card
}
