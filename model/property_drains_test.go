package model_test

import (
	"testing"
	"time"

	. "github.com/ackgap/ackgap/model"
)

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
		{"is active, and the worker that was granted it has not asked for another since", world(), func(h *tale) {
			h.admit(j1)
			h.claim(j1)
		}},
		{"is pending, and each worker that lives was granted a job and has not asked for another", world(), func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.admit(j2)
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

// A pause that the queue does not know is none.
func TestARefusedPauseIsNoReasonToWait(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.tell(Event{Kind: Applied, Op: OpPause, Answer: UnknownAnswer, Flags: IsRaw})
	h.end(Quiet)
	h.wantValue(t, "drains", Broken, "is pending still, though nothing known")
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

// A queue that promises to claim a job so often at most, and does not tell what it
// touches, is believed to have given it up then; one that tells is held to it.
func TestDrainsBelievesABuriedJob(t *testing.T) {
	for _, tc := range []struct {
		tells  bool
		claims int
		want   Value
	}{{false, 3, Held}, {false, 2, Broken}, {true, 3, Broken}} {
		f := world()
		f.BoundsDeliveries, f.MaxAttempts, f.Toucher = true, 3, tc.tells
		h := newTale(f)
		h.admit(j1)
		for i := range tc.claims {
			if i > 0 {
				h.reap(j1)
			}
			h.claim(j1)
			h.wait(31 * sec)
		}
		h.reap(j1)
		h.wait(1000 * sec)
		h.end(Horizon)
		if v := h.verdict("drains"); v.Value != tc.want {
			t.Errorf("%+v: drains is %v", tc, v.Value)
		}
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

// Where the lease may lapse under every delivery the bound does not hold. Up to
// it nobody can tell a livelock from work that takes its time.
func TestWorkBeyondTheLeaseWithoutHeartbeatIsLivelock(t *testing.T) {
	const bound = 40*sec + 152*ms + 2*(30*sec-20*ms)
	facts := world()
	facts.Workers[0].Work = 30 * time.Second
	beating := world()
	beating.Workers = []WorkerFacts{facts.Workers[0]}
	beating.Workers[0].Heartbeat = 10 * time.Second
	for _, tc := range []struct {
		facts Facts
		at    Time
		cause Cause
		want  Value
		says  string
	}{
		{facts, bound - 1, Horizon, Unknown, "before the bound"},
		{facts, bound, Horizon, Broken, "(livelock), and not every job"},
		{facts, bound, Quiet, Broken, "the run went quiet, and not every job"},
		{beating, bound, Horizon, Broken, "had passed, and not every job"},
	} {
		h := newTale(tc.facts)
		h.admit(j1)
		h.wait(tc.at)
		h.end(tc.cause)
		h.wantValue(t, "drains", tc.want, tc.says)
	}
}

// The way of the messages counts twice before a heartbeat is heard: with the grant
// to the worker, and with the heartbeat to the queue.
func TestAHeartbeatThatIsHeardTooLateIsLivelock(t *testing.T) {
	for _, tc := range []struct {
		beat time.Duration
		says string
	}{
		{28*time.Second - time.Millisecond, "had passed, and not every job"},
		{28 * time.Second, "(livelock), and not every job"},
	} {
		facts := world()
		facts.Latency = time.Second
		facts.Workers[0].Work, facts.Workers[0].Heartbeat = 30*time.Second, tc.beat
		h := newTale(facts)
		h.admit(j1)
		h.wait(3600 * sec)
		h.end(Horizon)
		h.wantValue(t, "drains", Broken, tc.says)
	}
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
	h.wait(3600 * sec)
	h.end(Horizon)
	h.wantValue(t, "drains", Broken, "had passed, and not every job")
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
