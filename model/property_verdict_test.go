package model_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/ackgap/ackgap/model"
)

// What no-loss means, case by case.

func TestAJobThatOnlyTheQueueKnowsIsNotLost(t *testing.T) {
	h := newTale(world())
	h.enqueue(j1)
	h.forget(j1, Standing{})
	h.end(Quiet)
	h.wantBroken(t)
}

func TestAdmissionOfAJobThatIsAlreadyForgottenIsALoss(t *testing.T) {
	h := newTale(world())
	h.enqueue(j1)
	h.forget(j1, Standing{})
	h.tell(Event{Kind: Admitted, Proc: producer, Op: OpEnqueue, Job: j1, ID: h.id(j1)})
	h.wantBroken(t, "no-loss")
	h.wantValue(t, "no-loss", Broken, "e1 told the producer that the job is in, but")
}

func TestAnIntentIsFoundWhileOneOfItsIDsIs(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.ids[j1], h.stands[j1] = ID{NS: JOB, Value: 2000}, nil // sent again under a fresh id
	h.enqueue(j1)
	first := ID{NS: JOB, Value: 1001}
	pending := Standing{Sets: InPending, Fields: FullRow}
	h.tell(Event{Kind: Restarted, Proc: queue}, Touch{ID: first, Before: pending})
	h.wantBroken(t)
	h.forget(j1, Standing{})
	h.wantBroken(t, "no-loss")
}

func TestDeadAndRemovedAreNotLost(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.remove(j1)
	h.admit(j2)
	h.claim(j2)
	h.retry(j2, 1, func(e *Event, _ *Standing) { e.Max = 1 }, answer(DeadLettered),
		leaves(Standing{Sets: InDead, Fields: FullRow, Attempts: 1}))
	h.end(Quiet)
	h.wantBroken(t)
}

func TestWhatADrainTookOutIsNotLost(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.tell(Event{Kind: Applied, Op: OpDrain, Answer: OK, Moved: 1, Flags: IsRaw}, Touch{ID: h.id(j1), Before: h.standing(j1)})
	h.end(Quiet)
	h.wantBroken(t)
}

func TestARefusedSettlementThatDeletesTheRowIsALoss(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.complete(j1, 1, answer(Stale))
	h.wantBroken(t, "no-loss")
}

func TestCompletedWorkThatNeverRanIsLost(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.complete(j1, 1)
	h.wantBroken(t)
	h.end(Quiet)
	h.wantBroken(t, "no-loss")
	h.wantValue(t, "no-loss", Broken, "e1 admitted the job and e2 completed it")
}

func TestInABareStoryNobodyCouldHaveDoneTheWork(t *testing.T) {
	h := newTale(bareWorld())
	h.admit(j1)
	h.claim(j1)
	h.complete(j1, 1)
	h.end(Quiet)
	h.wantBroken(t)
	h.wantValue(t, "no-loss", Held, "")
	if n := h.verdict("drains").Evaluations; n != 0 {
		t.Errorf("drains was evaluated %d times without workers", n)
	}
}

func TestTheHorizonLeavesNoLossUnknownWhileTheJobIsWithinReach(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.end(Horizon)
	h.wantValue(t, "no-loss", Unknown, "the horizon e2 cut the run")
}

// With an early ACK the job is completed before its work is done.
func TestTheHorizonLeavesNoLossUnknownWhileAWorkerHoldsTheJob(t *testing.T) {
	early := func() *tale {
		h := newTale(world())
		h.admit(j1)
		h.claim(j1)
		h.complete(j1, 1)
		return h
	}
	h := early()
	h.end(Horizon)
	h.wantValue(t, "no-loss", Unknown, "in a worker's hand")

	h = early()
	h.tell(Event{Kind: Crashed, Proc: w1, Until: Never})
	h.end(Horizon)
	h.wantValue(t, "no-loss", Broken, "never changed")

	h = early()
	h.admit(j2)
	h.claim(j2, func(e *Event, _ *Standing) { e.Flags = IsCopy }) // nobody waits for its answer
	h.end(Horizon)
	h.wantValue(t, "no-loss", Unknown, "the job of e1")

	h = early()
	h.tell(Event{Kind: Sent, Proc: w1, Op: OpClaim})
	h.end(Horizon)
	h.wantValue(t, "no-loss", Broken, "never changed")
}

func TestADeadJobIsNotWithinReachOfTheHorizon(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.pump(OpSweep, j1, InDead)
	h.end(Horizon)
	h.wantValue(t, "no-loss", Held, "")
	h.wantValue(t, "drains", Held, "")
}

func TestTheHorizonDoesNotMendWhatIsBroken(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.effect(j1)
	h.forget(j1, Standing{})
	h.admit(j2)
	h.end(Horizon)
	h.wantValue(t, "no-loss", Broken, "since e2")
}

// What drains means, case by case.

func TestDrainsSaysWhyEachJobIsStuck(t *testing.T) {
	off := func(change func(*Facts)) Facts {
		f := world()
		change(&f)
		return f
	}
	cases := []struct {
		says  string
		facts Facts
		tell  func(h *tale)
	}{
		{"is pending still, though nothing known", world(), func(h *tale) { h.admit(j1) }},
		{"is pending, and the queue is paused", world(), func(h *tale) {
			h.admit(j1)
			h.tell(Event{Kind: Applied, Op: OpPause, Answer: OK, Flags: IsRaw})
		}},
		{"is pending, and no worker is alive", world(), func(h *tale) {
			h.admit(j1)
			h.tell(Event{Kind: Crashed, Proc: w1, Until: Never})
		}},
		{"is active, and no pump takes it back", off(func(f *Facts) { f.ReapEvery = 0 }), func(h *tale) {
			h.admit(j1)
			h.claim(j1)
		}},
		{"is active, and no pump takes it back", world(), func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.tell(Event{Kind: Crashed, Proc: pump, Until: Never})
		}},
		{"is scheduled, and no pump promotes it", off(func(f *Facts) { f.PromoteEvery = 0 }), func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.retry(j1, 1)
		}},
		{"is a ghost", world(), func(h *tale) { h.admit(j1, rowLacks(HasPayload)) }},
		{"is lost", world(), func(h *tale) {
			h.admit(j1)
			h.forget(j1, Standing{})
		}},
		{"the queue is down for good", world(), func(h *tale) {
			h.admit(j1)
			h.tell(Event{Kind: Crashed, Proc: queue, Until: Never})
		}},
		{"is pending+active still", world(), func(h *tale) { h.admit(j1, in(InPending|InActive)) }},
	}
	for _, tc := range cases {
		h := newTale(tc.facts)
		tc.tell(h)
		h.end(Quiet)
		h.wantValue(t, "drains", Broken, tc.says)
		checkWitness(t, h.verdict("drains").Witness)
	}
}

func TestDrainsCountsTheJobsThatItDoesNotTell(t *testing.T) {
	h := newTale(world())
	for j := Job(1); j <= 10; j++ {
		h.admit(j)
	}
	h.end(Quiet)
	h.wantValue(t, "drains", Broken, "; and 2 more; e9 ended the run")
}

// The world's B for one job: 30s lease + 1s reap + 5s timeout + 2 attempts of
// 50ms poll + 6ms messages + 20ms work + 1s retry + 1s promote = 40.152s.
func TestDrainsIsUnknownUpToItsBoundAndBrokenFromThere(t *testing.T) {
	const bound = 40*sec + 152*ms
	for _, tc := range []struct {
		at   Time
		want Value
	}{{bound - 1, Unknown}, {bound, Broken}} {
		h := newTale(world())
		h.wait(3 * sec)
		h.admit(j1)
		h.wait(tc.at)
		h.end(Horizon)
		h.wantValue(t, "drains", tc.want, "the bound of drains had passed")
	}
}

// Each of these moves T0, or B, by what it says.
func TestDrainsWaitsFromTheLastDisturbanceOn(t *testing.T) {
	const bound = 40*sec + 152*ms
	const attempt = 50*ms + 6*ms + 20*ms + 2*sec
	cases := []struct {
		what string
		by   Time
		tell func(h *tale)
	}{
		{"a benign message", 0, func(h *tale) { h.tell(Event{Kind: Sent, Proc: w1, Op: OpClaim}) }},
		{"a message lost by a fault", 7 * sec, func(h *tale) { h.tell(Event{Kind: Lost, Op: OpClaim, Cause: ByFault}) }},
		{"a message lost by an outage", 0, func(h *tale) { h.tell(Event{Kind: Lost, Op: OpClaim, Cause: ByOutage}) }},
		{"an operator's verb", 7 * sec, func(h *tale) { h.tell(Event{Kind: Applied, Op: OpResume, Flags: IsRaw}) }},
		{"a pause", 9 * sec, func(h *tale) { h.tell(Event{Kind: Paused, Proc: w1, Until: 9 * sec}) }},
		{"a crash for ever", 7 * sec, func(h *tale) { h.tell(Event{Kind: Crashed, Proc: w2, Until: Never}) }},
		{"a refused effect", 7 * sec, func(h *tale) { h.tell(Event{Kind: Failed, Proc: w1, Cause: ByRefusal}) }},
		{"a failing handler", 0, func(h *tale) { h.tell(Event{Kind: Failed, Proc: w1, Cause: ByHandler}) }},
		{"what the runner tells", 8 * sec, func(h *tale) { h.judge.Disturbed(8 * sec) }},
		{"a clock set back by 60s", 7*sec + 60*sec, func(h *tale) {
			h.tell(Event{Kind: ClockSet, Proc: queue, Skew: -60e9, Server: 7*sec - 60*sec})
		}},
		{"a scheduled job", 7*sec + 100*sec + attempt, func(h *tale) {
			h.enqueue(j2, answer(Scheduled), until(107*sec))
		}},
	}
	for _, tc := range cases {
		for _, edge := range []struct {
			at   Time
			want Value
		}{{bound + tc.by - 1, Unknown}, {bound + tc.by, Broken}} {
			h := newTale(world())
			h.admit(j1)
			h.wait(7 * sec)
			tc.tell(h)
			h.wait(edge.at - h.now)
			h.end(Horizon)
			if v := h.verdict("drains"); v.Value != edge.want {
				t.Errorf("%s: at %v drains is %v, want %v", tc.what, edge.at, v.Value, edge.want)
			}
		}
	}
}

func TestJobsThatEndedAfterTheLastDisturbanceTookTheirTurns(t *testing.T) {
	const attempt = 50*ms + 6*ms + 20*ms + 2*sec
	facts := world()
	facts.Fails = []int{0, 2} // J1 fails twice
	h := newTale(facts)
	h.admit(j1)
	h.admit(j2)
	h.work(j1)
	h.wait(36*sec + 5*attempt - h.now) // one wasted, three of J1, one of J2
	h.end(Horizon)
	h.wantValue(t, "drains", Broken, "")
	h = newTale(facts)
	h.admit(j1)
	h.admit(j2)
	h.work(j1)
	h.wait(36*sec + 5*attempt - 1 - h.now)
	h.end(Horizon)
	h.wantValue(t, "drains", Unknown, "")
}

func TestJobsThatEndedBeforeTheLastDisturbanceTakeNoTurn(t *testing.T) {
	const bound = 40*sec + 152*ms
	h := newTale(world())
	h.admit(j1)
	h.work(j1)
	h.wait(sec)
	h.admit(j2)
	if from := h.judge.Ledger().Disturbed(); from != h.now {
		t.Errorf("the last disturbance ended at %v, want %v", from, h.now)
	}
	h.wait(bound)
	h.end(Horizon)
	h.wantValue(t, "drains", Broken, "had passed")
}

func TestWorkBeyondTheLeaseWithoutHeartbeatIsLivelock(t *testing.T) {
	facts := world()
	facts.Workers[0].Work = 30 * time.Second
	h := newTale(facts)
	h.admit(j1)
	h.end(Horizon)
	h.wantValue(t, "drains", Broken, "livelock")

	facts.Workers[0].Heartbeat = 10 * time.Second
	h = newTale(facts)
	h.admit(j1)
	h.end(Horizon)
	h.wantValue(t, "drains", Unknown, "before the bound")
}

// Each of these moves B by one term.
func TestTheBoundOfDrainsHasATermForEachThingThatTakesTime(t *testing.T) {
	const bound = 40*sec + 152*ms
	cases := []struct {
		what   string
		change func(f *Facts)
		tell   func(h *tale)
		by     Time
	}{
		{"a sweep", func(f *Facts) { f.SweepEvery = 7 * time.Second }, nil, 7 * sec},
		{"settle retries", func(f *Facts) { f.Workers[0].SettleRetries = 2 }, nil, 10 * sec},
		{"two more steps", func(f *Facts) { f.Workers[0].Steps = 3 }, nil, 2 * 4 * ms},
		{"a second id", nil, func(h *tale) { h.ids[j1] = ID{NS: JOB, Value: 9}; h.stands[j1] = nil; h.enqueue(j1) }, 2*sec + 76*ms},
		{"a slower worker", addSlow, nil, 2 * 3 * sec},
		{"a slower worker that is dead", addSlow, func(h *tale) { h.tell(Event{Kind: Crashed, Proc: w2, Until: Never}) }, 0},
		{"no live worker", nil, func(h *tale) { h.tell(Event{Kind: Crashed, Proc: w1, Until: Never}) }, 0},
	}
	for _, tc := range cases {
		for _, edge := range []struct {
			at   Time
			want Value
		}{{bound + tc.by - 1, Unknown}, {bound + tc.by, Broken}} {
			facts := world()
			if tc.change != nil {
				tc.change(&facts)
			}
			h := newTale(facts)
			h.admit(j1)
			if tc.tell != nil {
				tc.tell(h)
			}
			h.wait(edge.at)
			h.end(Horizon)
			if v := h.verdict("drains"); v.Value != edge.want {
				t.Errorf("%s: at %v drains is %v, want %v", tc.what, edge.at, v.Value, edge.want)
			}
		}
	}
}

// addSlow adds a worker whose work takes 3s longer.
func addSlow(f *Facts) {
	slow := f.Workers[0]
	slow.Proc, slow.Work = w2, slow.Work+3*time.Second
	f.Workers = append(f.Workers, slow)
}

func TestADeadWorkerCannotLivelock(t *testing.T) {
	facts := world()
	addSlow(&facts)
	facts.Workers[1].Work = time.Hour
	h := newTale(facts)
	h.admit(j1)
	h.tell(Event{Kind: Crashed, Proc: w2, Until: Never})
	h.end(Horizon)
	h.wantValue(t, "drains", Unknown, "before the bound")
}

// Chaos that ends brings back whom it had killed for good.
func TestAProcessThatRestartsAfterAllIsAlive(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.tell(Event{Kind: Crashed, Proc: w1, Until: Never})
	h.tell(Event{Kind: Restarted, Proc: w1})
	h.end(Quiet)
	h.wantValue(t, "drains", Broken, "nothing known stands in its way")
}

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
