package model_test

import (
	"strings"
	"testing"

	. "github.com/ackgap/ackgap/model"
)

// What the judge itself promises.

func TestAnEventOfNoKindConcernsNoProperty(t *testing.T) {
	h := newTale(world())
	h.tell(Event{Kind: 200, Op: 200})
	for _, v := range h.judge.Verdicts() {
		if v.Evaluations != 0 {
			t.Errorf("%s was evaluated", v.Property)
		}
	}
}

func TestWithoutTouchesWhatReadsRowsIsUnknown(t *testing.T) {
	facts := world()
	facts.Toucher = false
	h := newTale(facts)
	h.admit(j1)
	h.work(j1)
	h.end(Quiet)
	unknown := map[string]bool{"no-loss": true, "one-place": true, "no-ghost": true, "terminal-absorbing": true,
		"admission-honest": true, "mint-order": true, "work-conserving": true}
	for _, p := range Properties() {
		v := h.verdict(p.Name)
		if unknown[p.Name] && (v.Value != Unknown || !strings.Contains(v.Witness.Says, "does not tell what it touches")) {
			t.Errorf("%s is %v (%q), want unknown with its reason", p.Name, v.Value, v.Witness.Says)
		}
		if !unknown[p.Name] && v.Value != Held {
			t.Errorf("%s is %v, want held", p.Name, v.Value)
		}
	}
}

func TestWithoutTouchesCompletedWorkThatNeverRanIsStillLost(t *testing.T) {
	facts := world()
	facts.Toucher = false
	h := newTale(facts)
	h.admit(j1)
	h.claim(j1)
	h.complete(j1, 1)
	h.admit(j2)
	h.admit(j3)
	h.claim(j3)
	h.retry(j3, 1, func(e *Event, _ *Standing) { e.Answer, e.Max = DeadLettered, 1 })
	h.end(Quiet)
	if got := h.judge.Ledger().State(j3); got != "dead" {
		t.Errorf("a job that was answered dead is %s", got)
	}
	h.wantBroken(t, "no-loss", "drains")
	h.wantValue(t, "drains", Broken, "without an end that the queue's answers would tell")
}

func TestWhatNeverOccurredIsHeldWithoutEvaluations(t *testing.T) {
	h := newTale(world())
	h.end(Quiet)
	for _, p := range Properties() {
		if v := h.verdict(p.Name); v.Value != Held || v.Evaluations != 0 {
			t.Errorf("%s is %v after %d evaluations, want held after none", p.Name, v.Value, v.Evaluations)
		}
	}
}

func TestDeliveriesBoundedIsNotJudgedUnlessDeclared(t *testing.T) {
	facts := world()
	facts.BoundsDeliveries = false
	h := newTale(facts)
	dieHolding(h, 5)
	h.wantBroken(t)
	if n := h.verdict("deliveries-bounded").Evaluations; n != 0 {
		t.Errorf("evaluated %d times, want none", n)
	}
}

func TestTheFirstBreachStandsAndCountingGoesOn(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.effect(j1)
	h.effect(j1)
	h.effect(j1)
	v := h.verdict("no-duplicate-effect")
	if v.Evaluations != 3 || v.Witness.Events[1].Effect != 2 {
		t.Errorf("after three effects: %d evaluations, and the witness shows effect %d; want 3 and 2",
			v.Evaluations, v.Witness.Events[1].Effect)
	}
}

func TestReachIsHeldWhenSeenAndUnknownWhenNot(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.work(j1)
	for _, p := range Reach() {
		h.wantValue(t, p.Name, Unknown, "it did not happen")
	}

	h = newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.effect(j1)
	h.tell(Event{Kind: Lost, Proc: w1, Op: OpComplete, Job: j1, N: 1, Cause: ByFault})
	h.wait(31 * sec)
	h.reap(j1)
	h.claim(j1, by(w2))
	h.tell(Event{Kind: Absorbed, Proc: w2, Job: j1, N: 2, Cause: ByMarker})
	h.complete(j1, 1)
	for _, p := range Reach() {
		h.wantValue(t, p.Name, Held, "e1 ")
		checkWitness(t, withJob(h.verdict(p.Name).Witness))
	}
	h.wantBroken(t)
}

func TestAMarkerIsSeenByACheckOrInTheTransaction(t *testing.T) {
	for name, found := range map[string]Event{
		"check":       {Kind: Checked, Flags: IsFound},
		"transaction": {Kind: Absorbed, Cause: ByMarker},
	} {
		h := newTale(world())
		h.tell(Event{Kind: Checked, Proc: w1, Job: j1, N: 1})
		h.tell(Event{Kind: Absorbed, Proc: w1, Job: j1, N: 1, Cause: ByUpsert})
		if v := h.verdict("saw-marker-skip"); v.Value != Unknown || v.Evaluations != 2 {
			t.Errorf("%s: no marker was found yet, and the verdict is %s after %d steps", name, v.Value, v.Evaluations)
		}
		found.Proc, found.Job, found.N = w2, j1, 2
		h.tell(found)
		h.wantValue(t, "saw-marker-skip", Held, "e1 found the marker")
	}
}

// withJob lets a reap, which names no job, pass for one of J1.
func withJob(w Witness) Witness {
	if w.Events[0].Op == OpReap {
		w.Job = j1
	}
	return w
}

func TestAResetJudgeRemembersNothing(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.work(j1)
	h.admit(j2)
	h.forget(j2, Standing{})
	kept := h.judge.Verdicts()
	h.judge.Reset(world())
	again := newTale(world())
	again.judge = h.judge
	again.admit(j1)
	again.work(j1)
	again.end(Quiet)
	again.wantBroken(t)
	if n := again.judge.Ledger().Deliveries(j1); n != 1 {
		t.Errorf("after the reset J1 has %d deliveries, want 1", n)
	}
	if kept[0].Value != Broken || len(kept[0].Witness.Events) != 2 {
		t.Errorf("the reset changed a verdict that was handed out: %+v", kept[0])
	}
}

// What it costs.

// lifeOfAJob is what happens to a job whose ACK is lost and whose second
// delivery finds the marker.
func lifeOfAJob(h *tale, j Job) {
	h.admit(j)
	h.tell(Event{Kind: Sent, Proc: w1, Op: OpClaim})
	h.claim(j)
	h.tell(Event{Kind: Answered, Proc: w1, Op: OpClaim, Job: j, N: 1, Answer: OK})
	h.extend(j, 1)
	h.effect(j)
	h.tell(Event{Kind: Sent, Proc: w1, Op: OpComplete, Job: j, N: 1})
	h.tell(Event{Kind: Lost, Proc: w1, Op: OpComplete, Job: j, N: 1, Cause: ByFault})
	h.wait(31 * sec)
	h.tell(Event{Kind: TimedOut, Proc: w1, Op: OpComplete, Job: j, N: 1})
	h.reap(j)
	h.tell(Event{Kind: Sent, Proc: w1, Op: OpClaim})
	h.claim(j)
	h.tell(Event{Kind: Answered, Proc: w1, Op: OpClaim, Job: j, N: 2, Answer: OK})
	h.tell(Event{Kind: Checked, Proc: w1, Job: j, N: 2, Flags: IsFound})
	h.tell(Event{Kind: Absorbed, Proc: w1, Job: j, N: 2, Cause: ByMarker})
	h.tell(Event{Kind: Sent, Proc: w1, Op: OpComplete, Job: j, N: 2})
	h.complete(j, 2)
	h.tell(Event{Kind: Answered, Proc: w1, Op: OpComplete, Job: j, N: 2, Answer: OK})
}

// manyLives is a history of jobs that live one after the other.
func manyLives(jobs int) *tale {
	h := newTale(world())
	for j := 1; j <= jobs; j++ {
		lifeOfAJob(h, Job(j))
	}
	h.end(Quiet)
	return h
}

func replay(j *Judge, h *History) {
	for i := range h.Events {
		e := &h.Events[i]
		j.Observe(e, h.TouchedBy(e.Seq))
	}
}

func TestAJudgeThatIsResetAllocatesNothing(t *testing.T) {
	h := manyLives(50)
	j := NewJudge(world(), everyProperty())
	replay(j, &h.history)
	reach := len(Reach()) // each keeps a copy of what it saw
	got := testing.AllocsPerRun(10, func() {
		j.Reset(world0)
		replay(j, &h.history)
	})
	if got > float64(reach) {
		t.Errorf("a run of %d events allocates %v times, want at most the %d of reach", len(h.history.Events), got, reach)
	}
	if v := j.Verdicts()[0]; v.Value != Held || v.Evaluations == 0 {
		t.Errorf("the run that was measured was not judged: %+v", v)
	}
}

// world0 is built once: building facts is not the judge's work.
var world0 = world()

func BenchmarkJudge(b *testing.B) {
	h := manyLives(500)
	j := NewJudge(world0, everyProperty())
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		j.Reset(world0)
		replay(j, &h.history)
	}
	perEvent := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(len(h.history.Events))
	b.ReportMetric(perEvent, "ns/event")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkLedger(b *testing.B) {
	h := manyLives(500)
	l := NewLedger(world0)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		l.Reset(world0)
		for i := range h.history.Events {
			e := &h.history.Events[i]
			l.Observe(e, h.history.TouchedBy(e.Seq))
		}
	}
	perEvent := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(len(h.history.Events))
	b.ReportMetric(perEvent, "ns/event")
	b.ReportMetric(0, "ns/op")
}
