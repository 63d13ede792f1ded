package model_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/ackgap/ackgap/model"
)

// What a breach shows as its evidence: the events that it speaks of, each of the kind
// that it says.
func TestABreachShowsTheEventsThatItSpeaksOf(t *testing.T) {
	for _, c := range []struct {
		property, says string
		tell           func(h *tale)
		verbs          string // of the evidence
	}{
		{"deadline-monotone", "e1 set the deadline of the lease", func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(sec)
			h.extend(j1, 1)
			h.wait(sec)
			h.extend(j1, 1, until(5*sec))
		}, "extend extend"},
		{"deadline-monotone", "e1 set the deadline of the lease", func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.extend(j1, 1, until(5*sec))
		}, "claim extend"},
		{"deliveries-bounded", "e1 opened the incarnation", func(h *tale) {
			h.admit(j1)
			h.claimOften(4)
		}, "enqueue claim"},
		{"deliveries-bounded", "e1 is a claim above max-attempts", func(h *tale) { h.claimOften(4) }, "claim"},
		{"mint-order", "e1 enqueued an id that is pending", func(h *tale) {
			h.admit(j1)
			h.admit(j2)
			h.claim(j2)
		}, "enqueue claim"},
		{"mint-order", "e1 was served an id though a smaller one", func(h *tale) {
			h.forget(j1, Standing{Sets: InPending, Fields: FullRow})
			h.admit(j2)
			h.claim(j2)
		}, "claim"},
		{"no-ghost", "e1 left a row that is in no set", func(h *tale) { h.admit(j1, in(0)) }, "enqueue"},
		{"no-ghost", "e1 left the id in a set, but its row lacks", func(h *tale) { h.admit(j1, rowLacks(HasPayload)) }, "enqueue"},
		{"drains", "the job of e1 is pending", func(h *tale) { h.admit(j1); h.end(Quiet) }, "enqueue none"},
		{"drains", "the job of e1 is pending", func(h *tale) { h.enqueue(j1); h.end(Quiet) }, "enqueue none"},
		{"drains", "a job that no enqueue let in is active", func(h *tale) { h.claim(j1); h.end(Quiet) }, "none"},
	} {
		h := newTale(world())
		c.tell(h)
		h.wantValue(t, c.property, Broken, c.says)
		var verbs []string
		for _, e := range h.verdict(c.property).Witness.Events {
			verbs = append(verbs, e.Op.String())
		}
		if got := strings.Join(verbs, " "); got != c.verbs {
			t.Errorf("%s shows %q, want %q", c.says, got, c.verbs)
		}
	}
}

// claimOften delivers J1 so many times, each to a worker that dies with it.
func (h *tale) claimOften(times int) {
	for range times {
		h.claim(j1)
		h.wait(31 * sec)
		h.reap(j1)
	}
}

// What drains evidence shows of a job is who was told of it, or else the enqueue.
func TestDrainsShowsWhoWasToldOrElseTheEnqueue(t *testing.T) {
	told, untold := newTale(world()), newTale(world())
	told.admit(j1)
	untold.enqueue(j1)
	for want, h := range map[Kind]*tale{Admitted: told, Applied: untold} {
		h.end(Quiet)
		if got := h.verdict("drains").Witness.Events[0].Kind; got != want {
			t.Errorf("drains shows %s, want %s", got, want)
		}
	}
}

func TestDrainsTellsEightJobsAndOfNoneThatItHasMore(t *testing.T) {
	h := newTale(world())
	for j := Job(1); j <= 8; j++ {
		h.admit(j)
	}
	h.end(Quiet)
	if says := h.verdict("drains").Witness.Says; strings.Contains(says, "more") || strings.Count(says, "the job of e") != 8 {
		t.Errorf("of eight jobs: %s", says)
	}
}

// The lease of one that takes exactly as long as its work and its messages can lapse
// under every delivery; a nanosecond more, and it cannot.
func TestWorkAsLongAsTheLeaseIsLivelock(t *testing.T) {
	for lease, want := range map[time.Duration]bool{26 * time.Millisecond: true, 26*time.Millisecond + 1: false} {
		facts := world()
		facts.Lease = lease
		h := newTale(facts)
		h.admit(j1)
		h.wait(3600 * sec)
		h.end(Horizon)
		if says := h.verdict("drains").Witness.Says; strings.Contains(says, "livelock") != want {
			t.Errorf("a lease of %s for work of 26ms: %s", lease, says)
		}
	}
}

// A failure that was before the last disturbance is behind; a job that ended at its very
// instant took its turn.
func TestATurnIsWhatIsLeftAtTheLastDisturbance(t *testing.T) {
	const attempt = 50*ms + 6*ms + 20*ms + 2*sec
	operator := Event{Kind: Applied, Op: OpResume, Flags: IsRaw}
	for name, c := range map[string]struct {
		tell  func(h *tale)
		turns Time
	}{
		"a failure before": {func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.retry(j1, 1)
			h.wait(sec)
			h.tell(operator)
		}, 2}, // of two failures one is left
		"an end at the instant": {func(h *tale) {
			h.admit(j1)
			h.admit(j2)
			h.claim(j2)
			h.effect(j2)
			h.complete(j2, 1)
			h.tell(operator)
		}, 4},
	} {
		for over, want := range map[Time]Value{-1: Unknown, 0: Broken} {
			facts := world()
			facts.Fails = []int{0, 2}
			h := newTale(facts)
			c.tell(h)
			h.wait(36*sec + (1+c.turns)*attempt + over)
			h.end(Horizon)
			if v := h.verdict("drains"); v.Value != want {
				t.Errorf("%s, %v from the bound: drains is %s: %s", name, over, v.Value, v.Witness.Says)
			}
		}
	}
}

// A settlement that names no delivery is not judged by deliveries.
func TestASettlementOfNoDeliveryIsNotJudgedByIt(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.tell(Event{Kind: Applied, Proc: w1, Op: OpComplete, Job: j1, ID: h.id(j1), Answer: OK})
	for _, property := range []string{"settled-once", "stale-token-rejected"} {
		if v := h.verdict(property); v.Value != Held || v.Evaluations != 0 {
			t.Errorf("%s is %s after %d looks: %s", property, v.Value, v.Evaluations, v.Witness.Says)
		}
	}
}

// The attempts of a retry are those of its own row, whatever else it touched.
func TestTheAttemptsOfARetryAreThoseOfItsRow(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	row := func(j Job, n Token) Touch {
		return Touch{ID: h.id(j), After: Standing{Sets: InSchedule, Fields: FullRow, Attempts: n}}
	}
	h.tell(Event{Kind: Applied, Proc: w1, Op: OpRetry, Job: j1, ID: h.id(j1), N: 1, Token: 1, Answer: Scheduled, Max: 3}, row(j2, 9), row(j1, 1))
	h.wantValue(t, "attempts-bounded", Held, "")
}

// An id that is served and pending still is no smaller one than itself.
func TestAnIDThatStaysPendingIsNotPassed(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1, in(InPending|InActive))
	h.wantValue(t, "mint-order", Held, "")
	h.wantValue(t, "one-place", Broken, "")
}

// A lease has expired where a reap or a sweep moved or buried what it found, and nowhere
// else.
func TestAnExpiryIsWhatAReapOrASweepMoves(t *testing.T) {
	for _, c := range []struct {
		op          Op
		moved, dead int32
		want        bool
	}{
		{OpReap, 0, 0, false}, {OpReap, 1, 0, true}, {OpSweep, 0, 0, false}, {OpSweep, 0, 1, true}, {OpSweep, 1, 0, true},
		{OpPromote, 1, 0, false}, {OpDrain, 1, 0, false}, {OpClaim, 1, 0, false},
	} {
		h := newTale(world())
		h.tell(Event{Kind: Applied, Proc: pump, Op: c.op, Answer: OK, Moved: c.moved, Dead: c.dead})
		if got := h.verdict("saw-expiry").Value == Held; got != c.want {
			t.Errorf("%s that moved %d and buried %d: saw-expiry is %v", c.op, c.moved, c.dead, got)
		}
	}
}
