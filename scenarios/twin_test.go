package scenarios_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

const worker model.Proc = 4 // w1, where a story names no producer

// A lost ACK leaves the queue with the record of work that never ran: the same
// three events, the same digest, and another ledger.
func TestTheQueueCannotKnowThatItsAckWasLost(t *testing.T) {
	story, h := ran(t, "worker w1\njob J1\nfault drop complete J1#1")
	k := story.FindTwin(h, faults.Queue, 1, 1)
	want := []string{"enqueue enqueued", "claim ok", "reap ok"}
	if got := wordsOf(k.View); !slices.Equal(got, want) || k.Cut.Op != model.OpReap || k.Cut.At != k.Twin.Cut.At {
		t.Errorf("the queue saw %q until %v at %v and %v, want %q", got, k.Cut.Op, k.Cut.At, k.Twin.Cut.At, want)
	}
	if !k.Fact || k.Tried != 1 || k.Told != nil || k.Job != 1 || k.N != 1 || k.Observer != faults.Queue {
		t.Errorf("got %+v", k)
	}
	sameToTheObserver(t, h, k)
}

// otherwise lists the faults of the catalogue after which there is no twin to be
// had, and why.
var otherwise = map[string]string{
	"lost-failure-report drop retry J1#1 queue":                "the handler fails in every history",
	"re-sent-retry drop-reply retry J1#1 queue":                "the handler fails in every history",
	"retry-scheduled-twice drop-reply retry J1#1 queue":        "the handler fails in every history",
	"settle-retries drop complete J1#1 queue":                  "it is sent again, and arrives",
	"settle-retries drop complete J1#1 nth=2 queue":            "it is sent again, and arrives",
	"mutants/retry-sent-again drop-reply retry J1#1 queue":     "the handler fails in every history",
	"mutants/shortening-extend drop complete J1#1 of a worker": "a heartbeat after it is answered ok",
}

// For every story of the catalogue in which a settlement is lost, its answer is
// lost, or a worker dies after its effect: who was not told has a twin; the queue,
// where it has the settlement, was told by that.
func TestEveryStoryOfALostAckOrACrashAfterTheEffectHasItsTwin(t *testing.T) {
	asked := 0
	for _, name := range scenarios.Catalogue() {
		story := load(t, name)
		out := run(t, story)
		for _, e := range story.Plan {
			p, what := e.Point, name+" "+story.FaultText(e)
			speaker := speakerOf(out.History, p)
			settles := p.Family == faults.Message && p.Op.Settles() && e.Outcome.Has(faults.Drop)
			dies := p.Family == faults.Step && e.Outcome.Has(faults.Crash) && p.After && p.Step == model.StepApply
			if dies || settles && !p.Reply && speaker != model.NoProc {
				asked++
				hasItsTwin(t, what+" queue", out, faults.Queue, p)
			}
			if settles && p.Reply {
				asked++
				k := story.FindTwin(out.History, faults.Queue, p.Job, p.N)
				if isTold := k.Told != nil && k.Told.Op == p.Op; k.Twin != nil || isTold == (otherwise[what+" queue"] != "") {
					t.Errorf("%s: the queue was told by %+v", what, k.Told)
				}
			}
			if settles && speaker != model.NoProc {
				asked++
				hasItsTwin(t, what+" of a worker", out, speaker, p)
			}
		}
	}
	if asked < 40 {
		t.Errorf("only %d questions are asked", asked)
	}
}

func hasItsTwin(t *testing.T, what string, out *scenarios.Outcome, observer model.Proc, p faults.Point) {
	t.Helper()
	k := out.Story.FindTwin(out.History, observer, p.Job, p.N)
	if why := otherwise[what]; why != "" {
		if k == nil || k.Twin != nil {
			t.Errorf("%s: there is a twin, though %s", what, why)
		}
		return
	}
	t.Run(what, func(t *testing.T) { sameToTheObserver(t, out.History, k) })
}

// What goes wrong instead, where only that leaves the same view.
func TestWhatGoesWrongInTheTwin(t *testing.T) {
	for _, c := range []struct {
		what, story, observer, wrong string
		fact                         bool
	}{
		{"the worker dies before the work",
			"worker w1\nworker w2\njob J1\nfault crash w1 before=apply J1#1", "queue", "drop complete J1#1", false},
		{"the worker is slow, and does the work when the job is another's",
			"worker w1 work=40s\nworker w2 work=1s\njob J1", "queue", "drop-reply claim J1#1", true},
		{"nobody reaps: the queue never acts",
			"queue echomq reap-every=off\nworker w1\njob J1\nfault drop complete J1#1", "queue", "drop-reply claim J1#1", true},
		{"the worker is back for the next job at a time that is its own",
			"worker w1\njob J1\njob J2 at=5s\nfault crash w1 after=apply J1#1 restart=3s", "queue", "crash w1 before=apply J1#1 restart=3s", true},
		{"the same, and the work never ran",
			"worker w1\njob J1\njob J2 at=5s\nfault crash w1 before=apply J1#1 restart=3010ms", "queue", "crash w1 after=apply J1#1 restart=3.01s", false},
		{"the heartbeat goes on when the ACK is lost",
			"worker w1 heartbeat=10s work=15s\nworker w2\njob J1\nfault drop complete J1#1", "queue", "error apply J1#1 and drop retry J1#1", true},
		{"the same with an ACK that is sent again",
			"worker w1 heartbeat=10s work=15s settle-retries=1\nworker w2\njob J1\nfault drop complete J1#1\nfault drop complete J1#1 nth=2",
			"queue", "error apply J1#1 and drop retry J1#1 and drop retry J1#1 nth=2", true},
		{"an ACK that would be sent again is lost as often",
			"worker w1 settle-retries=2\nworker w2\njob J1\nfault crash w1 before=apply J1#1", "queue",
			"drop complete J1#1 and drop complete J1#1 nth=2 and drop complete J1#1 nth=3", false},
		{"the outside answers, and the answer is lost",
			"worker w1 consumer=external\njob J1\nfault drop-reply apply J1#1", "queue", "drop apply J1#1", true},
		{"the call to the outside is lost",
			"worker w1 consumer=external\njob J1\nfault drop apply J1#1", "queue", "drop-reply apply J1#1", false},
		{"who acknowledges first and dies",
			"worker w1 ack=early\njob J1\nfault crash w1 before=apply J1#1", "queue", "fewer faults", false},
		{"who acknowledges first and works",
			"worker w1 ack=early\njob J1", "queue", "crash w1 before=apply J1#1", true},
		{"the same of a worker that stood still before it",
			"worker w1 consumer=external\njob J1\nfault pause w1 before=apply J1#1 for=10s\nfault drop apply J1#1", "queue", "drop-reply apply J1#1", false},
		{"the worker dies at a time",
			"worker w1\nworker w2\njob J1\nfault crash w1 time=10ms", "queue", "drop complete J1#1", false},
		{"a heartbeat that was lost is lost in both",
			"worker w1 heartbeat=10s work=15s\nworker w2\njob J1\nfault drop extend J1#1\nfault drop complete J1#1", "queue", "error apply J1#1 and drop retry J1#1", true},
		{"the worker stands still at a time",
			"worker w1\nworker w2\njob J1\nfault pause w1 time=10ms for=20m", "queue", "drop complete J1#1", false},
		{"another worker dies too, and stays dead",
			"worker w1\nworker w2\njob J1\njob J2 at=1s\nfault crash w1 time=10ms\nfault crash w2 time=15ms", "queue", "crash w1 after=apply J1#1", false},
		{"what befell another job stays",
			"worker w1\nworker w2\njob J1\njob J2\nfault drop complete J1#1\nfault delay complete J2#1 by=1s", "queue", "drop-reply claim J1#1", true},
		{"another fault befell the message that is lost in the twin",
			"worker w1\nworker w2\njob J1\nfault crash w1 before=apply J1#1\nfault? delay complete J1#1 by=1s", "queue", "drop complete J1#1", false},
		{"what befell the request of the claim stays",
			"worker w1\nworker w2\njob J1\nfault delay claim J1#1 by=1s\nfault drop complete J1#1", "queue", "drop-reply claim J1#1", true},

		{"a worker whose ACK is lost", "worker w1\njob J1\nfault drop complete J1#1", "w1", "drop-reply complete J1#1", false},
		{"a worker whose ACK is answered in vain", "worker w1\njob J1\nfault drop-reply complete J1#1", "w1", "drop complete J1#1", true},
		{"a worker whose ACK is late", "worker w1\njob J1\nfault delay complete J1#1 by=45s", "w1", "drop-reply complete J1#1", false},
		{"a worker whose report of failure is lost",
			"worker w1\njob J1 fails=1\nfault drop retry J1#1", "w1", "drop-reply retry J1#1", false},
		{"a worker whose report of failure is answered in vain",
			"worker w1\njob J1 fails=1\nfault drop-reply retry J1#1", "w1", "drop retry J1#1", true},
		{"a worker who will send it again", "worker w1 settle-retries=3\njob J1\nfault drop complete J1#1", "w1", "drop-reply complete J1#1", false},
		{"a worker with heartbeats", "worker w1 heartbeat=2s work=3s\njob J1\nfault drop-reply complete J1#1\nfault drop extend J1#1 nth=2\nfault drop extend J1#1 nth=3",
			"w1", "drop complete J1#1", true},
		{"a worker who is cut off", "worker w1\njob J1\nfault partition w1 queue time=10ms for=60s", "w1",
			"partition queue w1 time=10ms for=1m oneway and drop-reply complete J1#1", false},
		{"a worker whose requests are cut off", "worker w1\njob J1\nfault partition w1 queue time=10ms for=60s oneway", "w1",
			"partition queue w1 time=10ms for=1m oneway and drop-reply complete J1#1", false},
		{"a worker who is cut off twice, beside another",
			"worker w1\nworker w2\njob J1\nfault partition w1 queue time=10ms for=60s\nfault partition w2 queue time=20ms for=60s\nfault partition w1 queue time=80s for=5s", "w1",
			"partition queue w1 time=10ms for=1m oneway and partition queue w1 time=1m20s for=5s oneway and drop-reply complete J1#1", false},
		{"a zombie whose refusal is lost",
			"worker w1\nworker w2\njob J1\nfault pause w1 after=apply J1#1 for=45s\nfault drop-reply complete J1#1", "w1",
			"crash pump time=3ms", false},
	} {
		t.Run(c.what, func(t *testing.T) {
			story, h := ran(t, c.story)
			observer, _ := story.Cast().Proc(c.observer)
			k := story.FindTwin(h, observer, 1, 1)
			if k == nil || k.Twin == nil {
				t.Fatalf("there is no twin: %+v\n%s", k, h.AppendText(nil))
			}
			if got := k.Twin.Wrong(); got != c.wrong || k.Fact != c.fact {
				t.Errorf("%q, the fact is %v; want %q, %v", got, k.Fact, c.wrong, c.fact)
			}
			sameToTheObserver(t, h, k)
		})
	}
}

// An observer acts when it does something about the job that it need not have done.
func TestWhenAnObserverActs(t *testing.T) {
	const two = "worker w1\nworker w2 work=2s\njob J1\n"
	for _, c := range []struct {
		what, story, observer string
		n                     int32
		act                   string
	}{
		{"it settles", two, "queue", 1, "0.025s applied complete J1#1"},
		{"it reaps", two + "job J2\nfault drop complete J1#1", "queue", 1, "31.000s applied reap"},
		{"it sweeps", "queue echomq reap-every=off sweep-every=7s\n" + two + "fault drop complete J1#1", "queue", 1, "35.000s applied sweep"},
		{"it refuses a settlement, which is none", two + "fault delay complete J1#1 by=31500ms", "queue", 2, "33.005s applied complete J1#2"},
		{"it forgot the claim, and delivers again", "queue echomq\nworker w1 work=10s\nworker w2 work=10s\njob J1\nfault crash queue time=1s lose=1w restart=1s", "queue", 1, "2.003s applied claim J1#2"},
		{"it never does", "queue echomq reap-every=off\n" + two + "fault drop complete J1#1", "queue", 1, "5.028s ended"},

		{"it asks for the next job", two, "w1", 1, "0.028s sent claim"},
		{"it sends the settlement again", "worker w1 settle-retries=1\njob J1\nfault drop complete J1#1", "w1", 1, "5.024s sent complete J1#1"},
		{"it begins to work", "worker w1 ack=early\njob J1", "w1", 1, "0.026s effect apply J1#1"},
		{"its heartbeats are no act", "worker w1 work=3s heartbeat=2s\nworker w2\njob J1\nfault drop complete J1#1", "w1", 1, "8.006s sent claim"},
		{"it stands still to the end", two + "fault pause w1 after=settle J1#1 for=20m", "w1", 1, "600.000s ended"},
	} {
		story, h := ran(t, c.story)
		observer, _ := story.Cast().Proc(c.observer)
		k := story.FindTwin(h, observer, 1, c.n)
		if k == nil {
			t.Errorf("%s: it has no question", c.what)
			continue
		}
		act := k.Cut.At.String() + " " + k.Cut.Kind.String()
		if k.Cut.Op != model.OpNone {
			act += " " + k.Cut.Op.String()
		}
		if k.Cut.Job != model.NoJob {
			act += " " + h.Names.Delivery(&k.Cut)
		}
		if act != c.act {
			t.Errorf("%s: %q, want %q", c.what, act, c.act)
		}
	}
}

// However often a worker would send its ACK again, the twin stays a story of a size.
func TestTheTwinLosesAnAckNotForEver(t *testing.T) {
	story, h := ran(t, "worker w1 settle-retries=1000000 timeout=1s\nworker w2\njob J1\nfault crash w1 before=apply J1#1\nhorizon 1m")
	if k := story.FindTwin(h, faults.Queue, 1, 1); len(k.Twin.Faults) > 17 {
		t.Errorf("the twin has %d faults", len(k.Twin.Faults))
	}
}

// The twin keeps what went wrong with other deliveries, as far as it still happens.
func TestTheTwinOfASecondDeliveryKeepsTheFaultsOfTheFirst(t *testing.T) {
	story, h := ran(t, "worker w1\njob J1\njob J2\nfault drop complete J1#1\nfault drop complete J1#2\nfault drop complete J2#1")
	k := story.FindTwin(h, faults.Queue, 1, 2)
	sameToTheObserver(t, h, k)
	var plan []string
	for _, e := range k.Twin.Story.Plan {
		plan = append(plan, k.Twin.Story.FaultText(e))
	}
	want := []string{"drop complete J1#1", "drop complete J2#1", "crash w1 before=apply J1#2 restart=5s"}
	if diff := cmp.Diff(want, plan); diff != "" {
		t.Errorf("the plan of the twin (-want +got):\n%s", diff)
	}
	if got := k.Twin.Wrong(); got != want[2] {
		t.Errorf("what goes wrong instead: %q", got)
	}
}

// A window that strikes nothing in the twin is a record in its history: it stays.
func TestTheTwinKeepsWindowsThatStrikeNothing(t *testing.T) {
	story, h := ran(t, "worker w1 work=45s heartbeat=10s\nworker w2 work=1s\njob J1\nfault stall heartbeat w1 time=5s for=60s")
	sameToTheObserver(t, h, story.FindTwin(h, faults.Queue, 1, 1))
}

// A fault that may find no point in the run may find none in the twin: then the twin's
// story does without it.
func TestTheTwinKeepsNoFaultThatNeedNotFire(t *testing.T) {
	story, h := ran(t, "worker w1\nworker w2\njob J1\nfault drop complete J1#1\nfault? drop retry J1#2")
	k := story.FindTwin(h, faults.Queue, 1, 1)
	sameToTheObserver(t, h, k)
	if len(k.Twin.Story.Plan) != 1 {
		t.Errorf("its story is\n%s", k.Twin.Story.Text())
	}
}

// A name as long as a name may be has a twin whose name is no longer.
func TestTheTwinHasAName(t *testing.T) {
	long := "a123456789b123456789c123456789d123456789e123456789f123456789g123"
	for name, want := range map[string]string{"short": "short-twin", long: long[:59] + "-twin"} {
		story, h := ran(t, "story "+name+"\nworker w1\njob J1\nfault drop complete J1#1")
		if got := story.FindTwin(h, faults.Queue, 1, 1).Twin.Story.Name; got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Where an observer was told, the message that told it is named: the first record
// that none of the other histories has.
func TestWhoWasToldCouldHaveKnown(t *testing.T) {
	for _, c := range []struct {
		what, story, observer, told string
		tried                       int
	}{
		{"the ACK arrives", "worker w1\njob J1", "queue", "0.025s applied complete J1#1 ok", 3},
		{"its answer is lost", "worker w1\njob J1\nfault drop-reply complete J1#1", "queue", "0.025s applied complete J1#1 ok", 3},
		{"the mutant that ignores it", "queue echomq variant=ignores-ack\nworker w1\nworker w2\njob J1", "queue", "0.025s applied complete J1#1 ok", 3},
		{"heartbeats keep the lease", "worker w1 work=40s heartbeat=10s\njob J1", "queue", "40.005s applied complete J1#1 ok", 3},
		{"the report of a handler that was refused", "worker w1\njob J1\nfault error apply J1#1", "queue", "0.025s applied retry J1#1 scheduled", 3},
		{"the ACK comes too late and nobody reaps", "queue echomq reap-every=off\n" +
			"worker w1\njob J1\nfault delay complete J1#1 by=2s\ndo remove J1 time=1s", "queue", "2.025s applied complete J1#1 gone", 6},

		{"a worker that is answered", "worker w1\njob J1", "w1", "0.026s answered complete J1#1 ok", 2},
		{"a worker whose report is answered", "worker w1\njob J1 fails=1", "w1", "0.026s answered retry J1#1 scheduled", 2},
	} {
		t.Run(c.what, func(t *testing.T) {
			story, h := ran(t, c.story)
			observer, _ := story.Cast().Proc(c.observer)
			k := story.FindTwin(h, observer, 1, 1)
			if k.Twin != nil || k.Told == nil {
				t.Fatalf("got %+v\n%s", k, h.AppendText(nil))
			}
			e := k.Told
			got := e.At.String() + " " + e.Kind.String() + " " + e.Op.String() + " " + h.Names.Delivery(e) + " " + e.Answer.String()
			if got != c.told || k.Tried != c.tried || *e != h.Events[e.Seq-1] {
				t.Errorf("told by %q of %d histories, want %q of %d", got, k.Tried, c.told, c.tried)
			}
		})
	}
}

// Where no history differs in the fact, or all differ in what is no message about
// it, the answer is open.
func TestWhereNeitherIsFoundTheQuestionIsOpen(t *testing.T) {
	for _, c := range []struct {
		what, story, observer string
		tried                 int
	}{
		{"the handler fails in every history", "worker w1\njob J1 fails=1", "queue", 0},
		{"nobody is a worker", "job J1\ndo claim by=anna time=1s\ndo complete J1#1 by=anna time=2s", "queue", 0},
		{"in no history that is tried does the worker send the same beats",
			"worker w1 work=20s heartbeat=10s\nworker w2 work=1s\njob J1\nfault duplicate extend J1#1 after=25s\nfault crash w1 time=12s", "queue", 3},
		{"a heartbeat is refused, which a queue may do that has forgotten the job",
			"worker w1 heartbeat=2s work=3s\njob J1\nfault drop-reply complete J1#1", "w1", 2},
	} {
		t.Run(c.what, func(t *testing.T) {
			story, h := ran(t, c.story)
			observer, _ := story.Cast().Proc(c.observer)
			k := story.FindTwin(h, observer, 1, 1)
			if k.Twin != nil || k.Told != nil || k.Tried != c.tried {
				t.Errorf("tried %d, got %+v", k.Tried, k)
			}
		})
	}
}

// Who has no question gets no answer.
func TestWhoHasNothingToAsk(t *testing.T) {
	for _, c := range []struct {
		what, story string
		observer    model.Proc
		n           int32
	}{
		{"there is no such delivery", "worker w1\njob J1", faults.Queue, 2},
		{"it is another's delivery", "worker w1\nworker w2\njob J1", worker + 1, 1},
		{"a producer settles nothing", "worker w1\njob J1", worker - 1, 1},
		{"the worker settled nothing", "worker w1\nworker w2\njob J1\nfault drop-reply claim J1#1", worker, 1},
		{"the worker settled the next delivery alone", "worker w1\njob J1\nfault drop-reply claim J1#1", worker, 1},
		{"the worker died before it acted", "worker w1\nworker w2\njob J1\nfault crash w1 after=settle J1#1", worker, 1},
	} {
		story, h := ran(t, c.story)
		if k := story.FindTwin(h, c.observer, 1, c.n); k != nil {
			t.Errorf("%s: and yet %+v", c.what, k)
		}
	}
}

// A question about any delivery is answered for the first that has a twin, and
// where none has one for the first.
func TestAnyDeliveryIsTheFirstWithATwin(t *testing.T) {
	const two = "worker w1\njob J1\njob J2 at=1s\n"
	for _, c := range []struct {
		what, story string
		j           model.Job
		n           int32
		job         model.Job
		delivery    int32
	}{
		{"J1 was told, J2 not", two + "fault drop complete J2#1", model.NoJob, 0, 2, 1},
		{"nobody has a twin", two, model.NoJob, 0, 1, 1},
		{"nobody of J2 has one", two + "fault drop complete J1#1", 2, 0, 2, 1},
		{"J1#1 has none", two + "fault drop complete J1#2\nfault error apply J1#1", 1, 0, 1, 2},
		{"J1#2 alone", two + "fault drop complete J1#1", 1, 2, 1, 2},
	} {
		story, h := ran(t, c.story)
		if k := story.FindTwin(h, faults.Queue, c.j, c.n); k.Job != c.job || k.N != c.delivery {
			t.Errorf("%s: answered for %d#%d", c.what, k.Job, k.N)
		}
	}
}

// sameToTheObserver holds k, which must have a twin, against the run h: of both
// histories the observer has the same view up to its act, and the fact is so in one
// of them only. The twin is run again from its text.
func sameToTheObserver(t *testing.T, h *model.History, k *scenarios.Knowledge) {
	t.Helper()
	if k == nil || k.Twin == nil {
		t.Error("there is no twin")
		return
	}
	view := func(h *model.History, cut model.Event) model.View {
		v, _ := h.Seen(k.Observer, faults.Queue, cut.Seq)
		return v
	}
	here, there := view(h, k.Cut), view(k.Twin.History, k.Twin.Cut)
	if diff := cmp.Diff(here, there); diff != "" {
		t.Errorf("the observer sees (-here +there):\n%s", diff)
	}
	if cmp.Diff(k.View, here) != "" || cmp.Diff(k.Twin.View, there) != "" || here.Digest() != there.Digest() || len(here) == 0 {
		t.Error("the views are not those up to the cuts, or their digests differ")
	}
	if a, b := factOf(h, k, k.Cut), factOf(k.Twin.History, k, k.Twin.Cut); a != k.Fact || b == a {
		t.Errorf("the fact is %v here and %v there; the answer says %v here", a, b, k.Fact)
	}
	again, err := scenarios.Parse("twin.story", k.Twin.Story.Text())
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, again)
	if err := scenarios.Same(k.Twin.History, out.History); err != nil || out.Met != scenarios.Yes || len(out.Results) != 1 {
		t.Errorf("told as a story it is %v, %v:\n%s", out.Met, err, k.Twin.Story.Text())
	}
}

// factOf finds the fact in the ledger by itself: an effect of the delivery at any
// time, or an accepted settlement of it by the cut.
func factOf(h *model.History, k *scenarios.Knowledge, cut model.Event) bool {
	for _, e := range h.Events {
		if e.Job != k.Job || e.N != k.N {
			continue
		}
		if k.Observer == faults.Queue && e.Kind == model.Effected {
			return true
		}
		if k.Observer != faults.Queue && e.Kind == model.Applied && e.Op.Settles() && e.Answer.Accepted() && e.Seq < cut.Seq {
			return true
		}
	}
	return false
}

// speakerOf returns the worker that sent the message of p; NoProc where nobody did.
func speakerOf(h *model.History, p faults.Point) model.Proc {
	for _, e := range h.Events {
		if e.Kind == model.Sent && e.Op == p.Op && e.Job == p.Job && e.N == p.N {
			return e.Proc
		}
	}
	return model.NoProc
}

func wordsOf(v model.View) (words []string) {
	for _, e := range v {
		words = append(words, e.Op.String()+" "+e.Answer.String())
	}
	return words
}

// ran runs a story and returns it with its history.
func ran(t *testing.T, text string) (*scenarios.Story, *model.History) {
	t.Helper()
	story := mustParse(t, "t.story", text)
	return story, run(t, story).History
}

func run(t *testing.T, story *scenarios.Story) *scenarios.Outcome {
	t.Helper()
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
