package faults_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// cast is a small world: w1 checks and applies in one transaction and beats, w2
// applies only.
type cast struct{ model.Names }

var world = cast{model.Names{
	Procs: []string{"", "queue", "pump", "p", "w1", "w2", "ghost"},
	Jobs:  []string{"", "J1", "J2"},
}}

const (
	producer model.Proc = 3
	w1       model.Proc = 4
	w2       model.Proc = 5
)

var actors = []faults.Actor{
	{}, {Role: faults.RoleQueue}, {Role: faults.RolePump}, {Role: faults.RoleProducer},
	{Role: faults.RoleWorker, Beats: true, Steps: []model.Step{model.StepClaim, model.StepCheck, model.StepApply, model.StepSettle}},
	{Role: faults.RoleWorker, Steps: []model.Step{model.StepClaim, model.StepApply, model.StepSettle}},
	{Role: faults.RoleSpeaker},
}

func (c cast) Proc(name string) (model.Proc, bool) {
	i := slices.Index(c.Procs, name)
	return model.Proc(max(i, 0)), i > 0
}

func (c cast) Job(name string) (model.Job, bool) {
	i := slices.Index(c.Jobs, name)
	return model.Job(max(i, 0)), i > 0
}

func (c cast) Actor(p model.Proc) faults.Actor { return actors[p] }

func (c cast) Step(p model.Proc, s model.Step) (model.Step, bool) {
	if p == w1 && s == model.StepMark {
		s = model.StepApply
	}
	return s, slices.Contains(actors[p].Steps, s)
}

func (c cast) ProcNames() []string { return c.Procs[1:] }
func (c cast) JobNames() []string  { return c.Jobs[1:] }

const s = time.Second

// every form of reports/docs/stories.md, and the entry that it means.
var everyForm = []struct {
	text    string // canonical
	point   faults.Point
	outcome faults.Outcome
}{
	{"drop enqueue J1", message(model.OpEnqueue, 0), faults.Outcome{Kinds: faults.Drop}},
	{"drop complete J1#2", message(model.OpComplete, 2), faults.Outcome{Kinds: faults.Drop}},
	{"drop claim J1#1 nth=2", nth(2, message(model.OpClaim, 1)), faults.Outcome{Kinds: faults.Drop}},
	{"drop-reply retry J1#1", reply(message(model.OpRetry, 1)), faults.Outcome{Kinds: faults.Drop}},
	{"drop-reply retry J1#1 nth=1", nth(1, reply(message(model.OpRetry, 1))), faults.Outcome{Kinds: faults.Drop}},
	{"delay extend J1#1 by=45s", message(model.OpExtend, 1), faults.Outcome{Kinds: faults.Delay, By: 45 * s}},
	{"delay-reply apply J1#1 by=1.5s", reply(message(model.OpApply, 1)), faults.Outcome{Kinds: faults.Delay, By: 1500 * time.Millisecond}},
	{"duplicate complete J1#1 after=0s", message(model.OpComplete, 1), faults.Outcome{Kinds: faults.Duplicate}},
	{"duplicate complete J1#1 after=50ms", message(model.OpComplete, 1), faults.Outcome{Kinds: faults.Duplicate, After: 50 * time.Millisecond}},
	{"error apply J1#1", message(model.OpApply, 1), faults.Outcome{Kinds: faults.Refuse}},
	{"crash w2 after=apply J1#1", step(w2, model.StepApply, true), faults.Outcome{Kinds: faults.Crash}},
	{"crash w2 after=claim J1#1 restart=5s nth=3", nth(3, step(w2, model.StepClaim, true)), faults.Outcome{Kinds: faults.Crash, Restarts: true, Restart: 5 * s}},
	{"crash w2 before=settle J1#1 restart=0s", step(w2, model.StepSettle, false), faults.Outcome{Kinds: faults.Crash, Restarts: true}},
	{"crash pump time=12s restart=1m", slot(faults.SlotCrash, faults.Pump), faults.Outcome{Kinds: faults.Crash, At: sec(12), Restarts: true, Restart: 60 * s}},
	{"crash p time=0s", slot(faults.SlotCrash, producer), faults.Outcome{Kinds: faults.Crash}},
	{"pause w1 before=check J1#1 for=45s", step(w1, model.StepCheck, false), faults.Outcome{Kinds: faults.Pause, For: 45 * s}},
	{"pause w2 time=3s for=45s", slot(faults.SlotPause, w2), faults.Outcome{Kinds: faults.Pause, At: sec(3), For: 45 * s}},
	{"stall heartbeat w1 time=3s for=1m", slot(faults.SlotStall, w1), faults.Outcome{Kinds: faults.Stall, At: sec(3), For: 60 * s}},
	{"partition w1 queue time=3s for=1m", cut(w1, faults.Queue), faults.Outcome{Kinds: faults.Partition, At: sec(3), For: 60 * s}},
	{"partition p queue time=3s for=1m oneway", cut(producer, faults.Queue), faults.Outcome{Kinds: faults.Partition, At: sec(3), For: 60 * s, Oneway: true}},
	{"partition queue w1 time=3s for=1m oneway", cut(faults.Queue, w1), faults.Outcome{Kinds: faults.Partition, At: sec(3), For: 60 * s, Oneway: true}},
	{"clock queue jump=+1m time=3s", slot(faults.SlotClock, faults.Queue), faults.Outcome{Kinds: faults.Clock, At: sec(3), By: 60 * s}},
	{"clock queue jump=-1m time=3s", slot(faults.SlotClock, faults.Queue), faults.Outcome{Kinds: faults.Clock, At: sec(3), By: -60 * s}},
	{"clock w1 skew=+5s", slot(faults.SlotClock, w1), faults.Outcome{Kinds: faults.Clock, By: 5 * s}},
	{"crash queue time=10s", slot(faults.SlotCrash, faults.Queue), faults.Outcome{Kinds: faults.Crash, At: sec(10), Restarts: true}},
	{"crash queue time=10s lose=1s restart=2s", slot(faults.SlotCrash, faults.Queue), faults.Outcome{Kinds: faults.Crash, At: sec(10), Restarts: true, Restart: 2 * s, Lose: faults.Loss{Window: s}}},
	{"crash queue time=10s lose=1w", slot(faults.SlotCrash, faults.Queue), faults.Outcome{Kinds: faults.Crash, At: sec(10), Restarts: true, Lose: faults.Loss{Writes: 1}}},
	{"crash queue time=10s lose=1000000w", slot(faults.SlotCrash, faults.Queue), faults.Outcome{Kinds: faults.Crash, At: sec(10), Restarts: true, Lose: faults.Loss{Writes: 1_000_000}}},
	{"crash queue time=10s lose=2w", slot(faults.SlotCrash, faults.Queue), faults.Outcome{Kinds: faults.Crash, At: sec(10), Restarts: true, Lose: faults.Loss{Writes: 2}}},
}

func TestEveryFormReadsAndIsWrittenBack(t *testing.T) {
	for _, c := range everyForm {
		for _, word := range []string{"fault ", "fault? "} {
			want := faults.Entry{Point: c.point, Outcome: c.outcome, Line: 1, Optional: word == "fault? "}
			got, err := parse(word + c.text)
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s reads as (-want +got)\n%s", c.text, diff)
			}
			if back := got.Text(&world.Names); back != word+c.text {
				t.Errorf("%s is written back as %s", c.text, back)
			}
		}
	}
}

// Each word for a kind is read as that kind, and no other word is.
func TestEveryKindHasItsWord(t *testing.T) {
	for _, word := range faults.KindWords() {
		if k, reply, ok := faults.ParseKind(word); !ok || k.Word(reply) != word {
			t.Errorf("%s is read as %s, %v", word, k.Word(reply), ok)
		}
	}
	if k, _, ok := faults.ParseKind("dropp"); ok {
		t.Errorf("dropp is read as %v", k)
	}
}

func TestFormsThatMeanTheSameReadTheSame(t *testing.T) {
	for _, c := range [][2]string{
		{"partition queue w1 for=60s time=3s", "partition w1 queue time=3s for=1m"}, // both ways: the order is idle
		{"pause w1 for=45s J1#1 after=mark", "pause w1 after=apply J1#1 for=45s"},   // one transaction, two names
		{"crash queue time=10s restart=0s", "crash queue time=10s"},
		{"drop complete J1#1 nth=1", "drop complete J1#1"},
	} {
		got, err := parse("fault " + c[0])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
		} else if back := got.Text(&world.Names); back != "fault "+c[1] {
			t.Errorf("%s is written back as %s, want %s", c[0], back, c[1])
		}
	}
}

func TestWhatIsWrittenReadsAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawEntry(t)
		text := want.Text(&world.Names)
		got, err := parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s comes back as (-want +got)\n%s", text, diff)
		}
	})
}

func TestAWholePlanComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b faults.Builder
		for i := range rapid.IntRange(0, 12).Draw(t, "entries") {
			e := drawEntry(t)
			e.Line = i + 1
			b.Add(e)
		}
		want := b.Plan()
		text := want.AppendText(nil, &world.Names)
		got, err := faults.ParsePlan("plan", text, world)
		for i := range got {
			got[i].Line = want[i].Line // a clash that Add refused left no line
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%s\n%v\n(-want +got)\n%s", text, err, diff)
		}
	})
}

// drawEntry draws a form and fresh values for all that its outcome uses.
func drawEntry(t *rapid.T) faults.Entry {
	c := rapid.SampledFrom(everyForm).Draw(t, "form")
	e := faults.Entry{Point: c.point, Outcome: c.outcome, Line: 1, Optional: rapid.Bool().Draw(t, "optional")}
	span := func(name string, low int64) time.Duration {
		return time.Duration(rapid.Int64Range(low, int64(script.MaxDuration)).Draw(t, name))
	}
	for _, d := range []*time.Duration{&e.Outcome.By, &e.Outcome.For, &e.Outcome.After, &e.Outcome.Restart, &e.Outcome.Lose.Window} {
		if *d != 0 {
			*d = span("duration", 1)
		}
	}
	if e.Outcome.At != 0 {
		e.Outcome.At = model.Time(span("at", 0))
	}
	if e.Point.Family != faults.Slot {
		e.Point.Nth = int32(rapid.IntRange(1, 1_000_000).Draw(t, "nth"))
		e.Point.Job = model.Job(rapid.IntRange(1, 2).Draw(t, "job"))
	}
	if e.Point.N > 0 {
		e.Point.N = int32(rapid.IntRange(1, script.MaxDelivery).Draw(t, "N"))
	}
	return e
}

func TestWhatAPlanCannotMeanIsRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the kind is missing; allowed: drop, drop-reply, delay, delay-reply, duplicate, error, crash, pause, stall, partition, clock"},
		{"drp complete J1#1", `unknown kind "drp"; did you mean "drop"? allowed: drop, drop-reply, delay, delay-reply, duplicate, error, crash, pause, stall, partition, clock`},
		{"drop", "the verb is missing; allowed: enqueue, claim, complete, retry, extend, apply"},
		{"drop complte J1#1", `unknown verb "complte"; did you mean "complete"? allowed: enqueue, claim, complete, retry, extend, apply`},
		{"drop complete", "the delivery is missing; write J1#1"},
		{"drop complete J1", `which delivery of "J1"? write J1#1 rather than J1`},
		{"drop enqueue J1#1", "an enqueue belongs to no delivery; leave out #1"},
		{"drop complete J1#0", `"J1#0" is no delivery; write J1#2 with a number from 1 to 1000000`},
		{"drop complete J3#1", `unknown job "J3"; did you mean "J1"? allowed: J1, J2`},
		{"drop complete J1#1 nth=0", `nth="0" must be a whole number from 1 to 1000000`},
		{"drop complete J1#1 by=1s", `unknown option "by"; allowed: nth`},
		{"delay complete J1#1", "by= is missing; write by=45s"},
		{"delay complete J1#1 by=0s", "by=0s must be above zero"},
		{"duplicate complete J1#1", "after= is missing; write after=50ms"},
		{"duplicate complete J1#1 after=-1s", "after=-1s must not be negative"},
		{"error complete J1#1", `unknown verb "complete"; allowed: apply`},
		{"crash", "the process is missing; write w1"},
		{"crash w3 time=1s", `unknown process "w3"; did you mean "w1"? allowed: queue, pump, p, w1, w2, ghost`},
		{"crash ghost time=1s", "ghost only speaks in `do` lines; declare it as a worker or a producer to make it fail"},
		{"crash w1", "when? write one of after=apply J1#1, before=settle J1#1, time=12s"},
		{"crash w1 after=apply before=settle J1#1", `when? write one of after=apply J1#1, before=settle J1#1, time=12s`},
		{"crash w1 time=1s J1#1", `"J1#1" is one word too many; only options may follow, allowed: after, before, time, restart`},
		{"crash w1 before=claim J1#1", "before=claim is no point: until the claim is answered nobody knows which delivery it is; write after=claim"},
		{"crash w2 after=mark J1#1", `unknown step of its consumer "mark"; allowed: claim, apply, settle`},
		{"crash w2 after=aply J1#1", `unknown step of its consumer "aply"; did you mean "apply"? allowed: claim, apply, settle`},
		{"crash w1 after=apply", "the delivery is missing; write J1#1"},
		{"crash p after=apply J1#1", "it is no worker and has no steps; write time=12s"},
		{"crash w1 time=-1s", "time=-1s must not be negative"},
		{"crash w1 time=1s restart=-1s", "restart=-1s must not be negative"},
		{"crash w1 time=1s lose=1s", `unknown option "lose"; allowed: after, before, time, restart`},
		{"crash queue time=1s lose=1000001w", `lose="1000001w" must be a number of writes from 1w to 1000000w, or a duration`},
		{"crash queue time=1s lose=0w", `lose="0w" must be a number of writes from 1w to 1000000w, or a duration`},
		{"crash queue time=1s lose=0s", "lose=0s must be above zero"},
		{"crash queue after=apply J1#1", "it is no worker and has no steps; write time=12s"},
		{"pause queue time=1s for=1s", "a queue does not stand still; crash it, or partition its clients"},
		{"pause w1 time=1s", "for= is missing; write for=45s"},
		{"stall w1 time=1s for=1s", `unknown part that stalls "w1"; allowed: heartbeat`},
		{"stall heartbeat w2 time=1s for=1s", "its heartbeat is off; write heartbeat=10s on its worker line"},
		{"stall heartbeat p time=1s for=1s", "only a worker has a heartbeat"},
		{"stall heartbeat w1 for=1s", "time= is missing; write time=3s"},
		{"partition w1", "the process is missing; write queue"},
		{"partition w1 w2 time=1s for=1s", noLink},
		{"partition pump queue time=1s for=1s", noLink},
		{"partition w1 queue time=1s for=1s onway", `"onway" is one word too many; did you mean "oneway"?`},
		{"clock queue skew=+5s", "time= is missing; write time=3s\n" + `jump= is missing; write jump=+60s` + "\n" + `unknown option "skew"; allowed: time, jump`},
		{"clock queue jump=0s time=1s", "jump=0s changes nothing"},
		{"clock pump skew=+5s", "the pump reads the queue's clock; write `fault clock queue`"},
		{"clock w1 jump=+5s time=1s", "skew= is missing; write skew=+5s\n" + `unknown option "jump"; allowed: skew` + "\n" + `unknown option "time"; allowed: skew`},
	} {
		_, err := parse("fault " + c.text)
		if got := messages(err); got != c.want {
			t.Errorf("fault %s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

const noLink = "no link to cut: messages pass between a worker or producer and the queue; the store is always within reach and the pump sits beside the queue"

func TestAPlanFileSaysWhereItIsWrong(t *testing.T) {
	_, err := faults.ParsePlan("a.plan", []byte("# two\nfault drop complete J1#1\nfalt drop complete J1#2\nfault? drop complete J1#1\n"), world)
	want := `a.plan:3: unknown directive "falt"; did you mean "fault"? allowed: fault, fault?
a.plan:4: fault?: line 2 says the same fault of the same point; one is enough`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// messages strips the place and the title of each error.
func messages(err error) string {
	list, ok := err.(*script.List)
	if !ok {
		return ""
	}
	var out []string
	for _, e := range list.Errors {
		_, msg, _ := strings.Cut(e.Msg, ": ")
		out = append(out, msg)
	}
	return strings.Join(out, "\n")
}

func parse(text string) (faults.Entry, error) {
	errs := script.Errors{File: "f"}
	lines := script.Scan(text, &errs)
	e, _ := faults.ParseFault(&lines[0], world, &errs)
	return e, errs.Err()
}

func message(op model.Op, n int32) faults.Point {
	return faults.Point{Family: faults.Message, Op: op, Job: 1, N: n, Nth: 1}
}

func reply(p faults.Point) faults.Point {
	p.Reply, p.Nth = true, faults.FirstReply
	return p
}

func nth(n int32, p faults.Point) faults.Point {
	p.Nth = n
	return p
}

func step(p model.Proc, s model.Step, after bool) faults.Point {
	return faults.Point{Family: faults.Step, Proc: p, Step: s, After: after, Job: 1, N: 1, Nth: 1}
}

func slot(k faults.SlotKind, p model.Proc) faults.Point {
	return faults.Point{Family: faults.Slot, Slot: k, Proc: p, Nth: 1}
}

func cut(from, to model.Proc) faults.Point {
	return faults.Point{Family: faults.Slot, Slot: faults.SlotPartition, Proc: from, Peer: to, Nth: 1}
}

func sec(n int) model.Time { return model.Time(n) * model.Time(s) }
