package scenarios_test

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// Small promises of reports/docs/stories.md, each with the smallest story that tells whether it
// is kept. The catalogue's stories are for people; these are for what it takes
// for granted.
var promises = []struct{ that, text string }{
	{"a raw request's answer can be lost too", `
		job J1
		do claim by=w1 time=1s
		do complete J1#1 by=w1 time=2s
		fault drop-reply complete J1#1
		expect answer complete J1#1 = lost-reply
		expect state J1 = completed`},
	{"a refused call is a handler error, and is retried", `
		worker w1 consumer=external
		job J1
		fault error apply J1#1
		expect effects J1 = 1
		expect deliveries J1 = 2
		expect answer retry J1#1 = scheduled`},
	{"after=apply of a call is when its answer is there", `
		worker w1 consumer=external
		worker w2 consumer=external
		job J1
		fault crash w1 after=apply J1#1
		expect effects J1 = 2`},
	{"a call that nobody answers is never over", `
		worker w1 consumer=external
		job J1
		fault drop apply J1#1
		fault? crash w1 after=apply J1#1
		expect effects J1 = 1
		expect deliveries J1 = 2
		expect state J1 = completed`},
	{"only the step with the effect can be refused", `
		worker w1 consumer=marker-last
		job J1
		fault error apply J1#1
		expect effects J1 = 1
		expect deliveries J1 = 2`},
	{"with early ack the settlement is sent once", `
		worker w1 ack=early
		job J1
		expect answer complete J1#1 = ok
		expect effects J1 = 1`},
	{"after an early ack a failure is the end of it", `
		worker w1 ack=early
		job J1 fails=1
		job J2 at=1s
		expect answer complete J1#1 = ok
		expect effects J1 = 0
		expect effects J2 = 1`},
	{"the scorer drops a guess of an unknown game", `
		worker w1 consumer=scorer
		job J1 payload=chess
		expect effects J1 = 0
		expect deliveries J1 = 1
		expect state J1 = completed`},
	{"a score is a number from 0 to 600", `
		worker w1 consumer=scorer
		job J1 payload=0
		job J2 payload=600
		job J3 payload=-1
		job J4 payload=601
		expect effects J1 = 1
		expect effects J2 = 1
		expect effects J3 = 0
		expect effects J4 = 0`},
	{"the scorer's insert can be refused", `
		worker w1 consumer=scorer
		job J1
		fault error apply J1#1
		expect effects J1 = 1
		expect deliveries J1 = 2`},
	{"an enqueue with a delay is an enqueue", `
		worker w1
		job J1 delay=10s
		fault drop enqueue J1
		expect state J1 = completed`},
	{"a producer that crashed sends again only what it sent since", `
		producer p
		worker w1
		job J1
		job J2 at=3s
		fault drop enqueue J1
		fault crash p time=1s restart=1s
		fault drop enqueue J2
		expect state J1 = absent
		expect state J2 = completed`},
	{"lose=1s spares what was written just one second ago", `
		queue echomq reap-every=off promote-every=off
		do enqueue J1 by=x time=9s
		do enqueue J2 by=x time=9001ms
		fault crash queue time=10s lose=1s
		expect state J1 = pending
		expect state J2 = lost`},
	{"of two that found no marker one applies", `
		worker w1 consumer=atomic
		worker w2 consumer=atomic
		job J1
		fault pause w1 before=apply J1#1 for=45s
		expect deliveries J1 = 2
		expect effects J1 = 1`},
	{"a pause flag that cannot be read counts as not paused", `
		worker w1
		job J1
		fault partition w1 queue time=0s for=1s
		expect state J1 = completed`},
	{"a worker that finds the queue paused at its first look asks again", `
		worker w1 poll=1m
		job J1 at=61s
		do pause by=x time=0s
		do resume by=x time=1s
		expect state J1 = completed`},
	{"work may take no time", `
		worker w1 work=0s
		job J1
		expect effects J1 = 1`},
	{"what one crash forgot does not come back with the next", `
		queue echomq reap-every=off promote-every=off
		do enqueue J1 by=x time=1s
		fault crash queue time=2s lose=1w
		do enqueue J2 by=x time=3s
		fault crash queue time=4s lose=1w
		expect state J1 = lost
		expect state J2 = lost`},
	{"a cut between the queue and one worker is no other's", `
		worker w1
		worker w2
		job J1
		fault partition queue w1 time=0s for=1m oneway
		expect answer enqueue J1 = enqueued
		expect state J1 = completed`},
	{"a clock that jumps forward makes a delayed job due sooner", `
		worker w1
		job J1 delay=10s
		fault clock queue jump=+5s time=1s
		horizon 8s
		expect deliveries J1 = 1`},
	{"a dead pump does not tick", `
		worker w1
		job J1
		fault drop complete J1#1
		fault crash pump time=1s
		expect state J1 = active
		expect deliveries J1 = 1`},
	{"a pause that was kept still holds after the crash", `
		worker w1
		do pause by=x time=1s
		do enqueue J1 by=x time=2s
		do enqueue J2 by=x time=3s
		fault crash queue time=4s lose=1w
		expect deliveries J1 = 0
		expect state J1 = pending
		expect state J2 = lost`},
	{"a pause that was forgotten holds nobody up", `
		worker w1
		job J1 at=2s
		do pause by=x time=1s
		fault crash queue time=1500ms lose=1w
		expect state J1 = completed`},
}

func TestTheSmallPromisesAreKept(t *testing.T) {
	for _, p := range promises {
		out := strict(t, mustParse(t, "t.story", p.text))
		for _, r := range out.Results {
			if r.Met != scenarios.Yes {
				t.Errorf("%s: line %d: %s\n%s", p.that, r.Expect.Line, r.Got, out.HistoryText())
			}
		}
		for _, e := range out.Unfired {
			t.Errorf("%s: the fault at line %d never fired", p.that, e.Line)
		}
	}
}

func TestWhoClosesTheGameIsWhoPays(t *testing.T) {
	_, h := ran(t, "worker w1 consumer=scorer\njob J1 payload=599\njob J2 payload=600\njob J3 payload=600\n")
	paid := map[model.Job]int{}
	for _, e := range h.Events {
		if e.Kind == model.Marked && e.Step == model.StepPay {
			paid[e.Job]++
		}
	}
	if paid[1] != 0 || paid[2] != 1 || paid[3] != 0 {
		t.Errorf("paid, by job: %v; want J2 alone, the first with 600", paid)
	}
}

func TestATransactionThatFindsTheMarkerSaysSo(t *testing.T) {
	_, h := ran(t, "worker w1 consumer=atomic\nworker w2 consumer=atomic\njob J1\nfault pause w1 before=apply J1#1 for=45s\n")
	for _, e := range h.Events {
		if e.Kind == model.Absorbed && e.Cause == model.ByMarker && e.N == 1 {
			return
		}
	}
	t.Errorf("w1 came second and nothing says that its step changed nothing\n%s", h.AppendText(nil))
}

func TestALateClaimIsDecidedOnOnce(t *testing.T) {
	_, h := ran(t, "worker w1\njob J1\nfault delay claim J1#1 by=1s\nfault? drop claim J1#1 nth=2\n")
	if got := countKind(h, model.Lost); got != 0 {
		t.Errorf("the claim was asked about again when it arrived\n%s", h.AppendText(nil))
	}
}

// Sums of durations must fit into 63 bits: a clock that wraps round is no clock.
func TestJumpsThatAddUpToAgesAreRefused(t *testing.T) {
	const ten = "job J1\nfault clock queue jump=+87600h time=1s\n"
	mustParse(t, "t.story", ten)
	_, err := scenarios.Parse("t.story", []byte(ten+"fault clock queue jump=-1s time=2s\n"))
	const want = "t.story:3: fault: the jumps of its clock add up to more than 87600h; leave out some"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestAProducerWhoseClockIsDecadesBehindStillMintsIDs(t *testing.T) {
	out := outcomeOf(t, "worker w1\njobs 3\nfault clock p skew=-87600h\nexpect state J1 = completed\nexpect state J3 = completed\n", scenarios.Options{})
	for _, r := range out.Results {
		if r.Met != scenarios.Yes {
			t.Errorf("line %d: %s", r.Expect.Line, r.Got)
		}
	}
}

func TestAVerbByHandIsAnEventThoughItChangesNothing(t *testing.T) {
	_, h := ran(t, "do reap by=x time=1s\ndo promote by=x time=2s\ndo sweep by=x time=3s\n")
	if got := countKind(h, model.Applied); got != 3 {
		t.Errorf("%d of three verbs are in the history", got)
	}
}

func TestAPumpWithNothingToDoLeavesNoEvent(t *testing.T) {
	_, h := ran(t, "worker w1 work=10s\njob J1\n")
	for _, e := range h.Events {
		if e.Op == model.OpReap || e.Op == model.OpPromote {
			t.Errorf("%s at %s", e.Op, e.At)
		}
	}
}

func countKind(h *model.History, k model.Kind) (n int) {
	for _, e := range h.Events {
		if e.Kind == k {
			n++
		}
	}
	return n
}

func TestADeliveryThatDoesNotExistIsMissing(t *testing.T) {
	story := mustParse(t, "t.story", "job J1\ndo claim by=w1 time=1s\ndo complete J1#2 by=w1 time=2s\n")
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := actors.Missing{Line: 3, Job: 1, N: 2, Have: 1}
	if len(out.Missing) != 1 || out.Missing[0] != want || out.Met != scenarios.No {
		t.Errorf("missing are %v and the story is %s; want %v, not met", out.Missing, out.Met, want)
	}
}

// Nothing of a run is left in the runner for the next.
func TestARunnerForgetsTheLastStory(t *testing.T) {
	runner := scenarios.NewRunner()
	for range 2 {
		for _, name := range scenarios.Catalogue() {
			story, err := scenarios.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			alone, err := story.Run(scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			after, err := runner.Run(story, scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if alone.History.Digest != after.History.Digest || alone.Steps != after.Steps {
				t.Errorf("%s after other stories leaves %s in %d steps, alone %s in %d", name,
					after.History.Digest, after.Steps, alone.History.Digest, alone.Steps)
			}
		}
	}
}

// A queue that can neither be reset nor tell what it touched cannot lose writes,
// and says so before anything runs.
func TestAQueueThatCannotForgetIsRefused(t *testing.T) {
	q, err := echomq.New("")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		queue model.Queue
		can   bool
	}{
		"it resets and tells": {q, true},
		"it tells only": {struct {
			model.Queue
			model.Toucher
		}{q, q}, false},
		"it resets only": {struct {
			model.Queue
			model.Resetter
		}{q, q}, false},
	} {
		if err := actors.CanRestore(c.queue); (err == nil) != c.can {
			t.Errorf("%s: %v", name, err)
		}
	}
}
