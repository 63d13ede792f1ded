package scenarios_test

import (
	"flag"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The plans of this file are drawn up front, each fault with an address that does
// not depend on the others (sender, kind, nth), and not lazily while the run asks:
// a fault that is taken away moves no other one, which is why they shrink well.

// smallWorld is where the drawn plans strike: the reference story's, but smaller.
const smallWorld = `story small
producer p retries=0
workers 2 consumer=%s
jobs 2
`

// draft is one fault within the reference envelope as bytes. Every byte means
// something whatever it is, so that any string of bytes is a plan.
type draft [5]byte

// The bytes of a draft.
const (
	what  = iota // which of forms
	who          // which worker
	whose        // which job and which delivery
	when         // a message or a step: the first or the second such; a window: its begin in half seconds
	size         // how late, how long: a doubling of a millisecond
)

const (
	jobs       = 2
	workers    = 2
	deliveries = 3
	doublings  = 17 // 1ms..65.536s
)

// form is a kind of fault and where it strikes.
type form struct {
	kind  faults.Kinds
	point faults.Point // without whom and which
}

// forms are what may happen in the reference envelope, the plainest first:
// shrinking goes there.
var forms = slices.Concat(
	messageForms(faults.Drop, false, model.OpComplete, model.OpClaim, model.OpRetry, model.OpEnqueue),
	messageForms(faults.Drop, true, model.OpComplete, model.OpClaim, model.OpRetry, model.OpEnqueue),
	messageForms(faults.Delay, false, model.OpComplete, model.OpClaim, model.OpRetry),
	messageForms(faults.Delay, true, model.OpComplete, model.OpClaim, model.OpRetry),
	messageForms(faults.Duplicate, false, model.OpComplete, model.OpClaim),
	messageForms(faults.Refuse, false, model.OpApply),
	stepForms(faults.Crash),
	stepForms(faults.Pause),
	[]form{
		{faults.Crash, faults.Point{Family: faults.Slot, Slot: faults.SlotCrash}},
		{faults.Pause, faults.Point{Family: faults.Slot, Slot: faults.SlotPause}},
		{faults.Partition, faults.Point{Family: faults.Slot, Slot: faults.SlotPartition, Peer: faults.Queue}},
		{faults.Crash, faults.Point{Family: faults.Slot, Slot: faults.SlotCrash, Proc: faults.Queue}},
		{faults.Clock, faults.Point{Family: faults.Slot, Slot: faults.SlotClock, Proc: faults.Queue}},
	},
)

func messageForms(kind faults.Kinds, reply bool, ops ...model.Op) (list []form) {
	for _, op := range ops {
		list = append(list, form{kind, faults.Point{Family: faults.Message, Op: op, Reply: reply}})
	}
	return list
}

func stepForms(kind faults.Kinds) (list []form) {
	for _, step := range []model.Step{model.StepClaim, model.StepCheck, model.StepApply, model.StepSettle} {
		for _, after := range []bool{false, true} {
			if step != model.StepClaim || after { // before a claim there is no job yet
				list = append(list, form{kind, faults.Point{Family: faults.Step, Step: step, After: after}})
			}
		}
	}
	return list
}

const firstWorker = faults.Pump + 2 // behind the producer

// entry reads the draft.
func (d draft) entry() faults.Entry {
	f := forms[int(d[what])%len(forms)]
	pt, worker := f.point, firstWorker+model.Proc(d[who]%workers)
	if pt.Family != faults.Message && pt.Proc == model.NoProc {
		pt.Proc = worker
	}
	o := faults.Outcome{Kinds: f.kind}
	if pt.Family == faults.Slot {
		o.At = model.Time(d[when]) * model.Time(500*time.Millisecond)
	} else {
		pt.Job, pt.N = model.Job(d[whose]%jobs)+1, int32(d[whose]/jobs%deliveries)+1
		pt.Nth = int32(d[when]%2) + 1
	}
	if pt.Op == model.OpEnqueue {
		pt.N = 0
	}
	*length(&o) = time.Millisecond << (d[size] % doublings)
	o.Restarts = f.kind == faults.Crash
	return faults.Entry{Point: pt, Outcome: o, Optional: true}
}

// length returns the field of o that its kind measures; of a kind that needs none
// it is a field of nobody's.
func length(o *faults.Outcome) *time.Duration {
	switch o.Kinds {
	case faults.Delay, faults.Clock:
		return &o.By
	case faults.Duplicate:
		return &o.After
	case faults.Pause, faults.Partition:
		return &o.For
	case faults.Crash:
		return &o.Restart
	}
	return new(time.Duration)
}

// draftOf is the inverse of entry, for what the envelope has a form of. Processes,
// jobs and deliveries that the small world lacks are folded into those it has.
func draftOf(e faults.Entry) (d draft, ok bool) {
	at := slices.IndexFunc(forms, func(f form) bool {
		p, q := f.point, e.Point
		return f.kind == e.Outcome.Kinds && p.Family == q.Family && p.Op == q.Op && p.Reply == q.Reply &&
			p.Step == q.Step && p.After == q.After && p.Slot == q.Slot && (p.Proc == q.Proc || p.Proc == model.NoProc && q.Proc > faults.Pump)
	})
	if at < 0 {
		return d, false
	}
	d[what], d[who] = byte(at), byte(max(0, e.Point.Proc-firstWorker)%workers)
	d[whose] = byte((max(1, e.Point.Job)-1)%jobs) + jobs*byte((max(1, e.Point.N)-1)%deliveries)
	d[when] = byte(max(1, e.Point.Nth) - 1)
	if e.Point.Family == faults.Slot {
		d[when] = byte(min(255, e.Outcome.At/model.Time(500*time.Millisecond)))
	}
	d[size] = byte(min(doublings, bits.Len64(uint64(max(1, *length(&e.Outcome)/time.Millisecond)))) - 1)
	return d, true
}

// planOf puts drafts together; of two that say the same the first counts.
func planOf(drafts []draft) faults.Plan {
	var b faults.Builder
	for _, d := range drafts {
		b.Add(d.entry())
	}
	return b.Plan()
}

// drafts draws up to most faults.
func drafts(most int) *rapid.Generator[[]draft] {
	one := rapid.Custom(func(t *rapid.T) draft {
		below := func(n int, label string) byte { return byte(rapid.IntRange(0, n-1).Draw(t, label)) }
		return draft{
			below(len(forms), "what"), below(workers, "who"), below(jobs*deliveries, "whose"), below(256, "when"), below(doublings, "size"),
		}
	})
	return rapid.SliceOfN(one, 0, most)
}

func TestADraftIsWrittenAsItIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Map(drafts(1), planOf).Draw(t, "plan")
		for _, e := range want {
			d, ok := draftOf(e)
			if got := planOf([]draft{d})[0]; !ok || got != e {
				t.Fatalf("%+v comes back as %+v", e, got)
			}
		}
	})
}

// small runs plans over the small world of one consumer.
type small struct {
	runner *scenarios.Runner
	story  *scenarios.Story
}

func newSmall(t testing.TB, consumer string) *small {
	return &small{scenarios.NewRunner(), mustParse(t, "small", fmt.Sprintf(smallWorld, consumer))}
}

// run lists the default properties that do not hold under plan.
func (s *small) run(t interface{ Fatal(...any) }, plan faults.Plan) []string {
	story := *s.story
	story.Plan = plan
	out, err := s.runner.Run(&story, scenarios.Options{Forget: true})
	if err != nil {
		t.Fatal(err)
	}
	return append(out.Unnamed, out.Open...)
}

func (s *small) text(plan faults.Plan) string {
	story := *s.story
	story.Plan = plan
	return string(story.Text())
}

// deaf takes what rapid says of a failure, so that it does not fail the test.
type deaf struct {
	*testing.T
	failed bool
}

func (d *deaf) Errorf(string, ...any) { d.failed = true }
func (d *deaf) Fatalf(string, ...any) { d.failed = true }
func (d *deaf) Logf(string, ...any)   {}
func (d *deaf) Log(...any)            {}

// Whatever plan rapid finds for the naive consumer, it shrinks to one fault: the
// gap takes no more.
func TestRapidFindsTheGap(t *testing.T) {
	s := newSmall(t, "naive")
	setFlag(t, "rapid.nofailfile", "true")
	for seed := range 10 {
		setFlag(t, "rapid.seed", strconv.Itoa(seed+1))
		var last faults.Plan // rapid runs the smallest one last
		tb := &deaf{T: t}
		rapid.Check(tb, func(rt *rapid.T) {
			plan := rapid.Map(drafts(8), planOf).Draw(rt, "plan")
			if broken := s.run(rt, plan); slices.Contains(broken, "no-duplicate-effect") {
				last = plan
				rt.Fatal("an effect is doubled")
			}
		})
		if !tb.failed || len(last) != 1 {
			t.Errorf("seed %d: found %v, with %d faults:\n%s", seed+1, tb.failed, len(last), s.text(last))
		}
	}
}

// Under every plan within the reference envelope the atomic consumer's effects
// are exactly one per job, and the queue keeps every promise.
func TestTheAtomicConsumerHoldsUnderEveryPlan(t *testing.T) {
	s := newSmall(t, "atomic")
	rapid.Check(t, func(rt *rapid.T) {
		plan := rapid.Map(drafts(8), planOf).Draw(rt, "plan")
		if bad := s.run(rt, plan); len(bad) > 0 {
			rt.Fatalf("%s:\n%s", strings.Join(bad, ", "), s.text(plan))
		}
	})
}

// setFlag sets a flag of the test binary until the test is over.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(name, old) })
}
