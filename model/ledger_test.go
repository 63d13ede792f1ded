package model_test

import (
	"testing"

	. "github.com/ackgap/ackgap/model"
)

// What the simulator asks of the ledger while a run goes on.

func TestServableIsPendingAndNotPaused(t *testing.T) {
	h := newTale(world())
	l := h.judge.Ledger()
	want := func(when string, want bool) {
		t.Helper()
		if got := l.Servable(); got != want {
			t.Errorf("%s: servable is %v, want %v", when, got, want)
		}
	}
	want("at the start", false)
	h.admit(j1)
	want("with a pending job", true)
	h.tell(Event{Kind: Applied, Op: OpPause, Answer: OK})
	want("paused", false)
	h.tell(Event{Kind: Applied, Op: OpResume, Answer: OK})
	want("resumed", true)
	if l.Paused() {
		t.Error("resumed, and still paused")
	}
	l.SetPaused(true)
	want("with a pause put back after a crash", false)
	l.SetPaused(false)
	h.claim(j1)
	want("with all jobs active", false)
}

func TestPendingIsTheSmallestIDAndComesBackWithIt(t *testing.T) {
	h := newTale(world())
	l := h.judge.Ledger()
	for _, j := range []Job{j3, j1, j2} {
		h.admit(j)
	}
	want := func(j Job) {
		t.Helper()
		if id, ok := l.Pending(); !ok || id != h.id(j) {
			t.Errorf("the smallest pending id is %v (%v), want that of J%d", id, ok, j)
		}
	}
	want(j1)
	h.remove(j2)
	h.claim(j1)
	want(j3)
	h.wait(31 * sec)
	h.reap(j1)
	want(j1)
	h.claim(j1)
	h.claim(j3)
	if id, ok := l.Pending(); ok {
		t.Errorf("pending is empty, and yet %v is its smallest", id)
	}
}

func TestNextDueFollowsExtensionsAndDepartures(t *testing.T) {
	h := newTale(world())
	l := h.judge.Ledger()
	want := func(active, schedule Time) {
		t.Helper()
		if a, s := l.NextDue(); a != active || s != schedule {
			t.Errorf("next due: %v and %v, want %v and %v", a, s, active, schedule)
		}
	}
	want(Never, Never)
	h.admit(j1)
	h.admit(j2)
	h.claim(j1)
	h.wait(5 * sec)
	h.claim(j2)
	want(30*sec, Never)
	h.wait(5 * sec)
	h.extend(j1, 1)
	want(35*sec, Never)
	h.retry(j2, 1)
	want(40*sec, 11*sec)
	h.complete(j1, 1)
	want(Never, 11*sec)
}

func TestADeliveryIsRememberedAsItWasGranted(t *testing.T) {
	h := newTale(world())
	l := h.judge.Ledger()
	h.admit(j1)
	h.claim(j1)
	h.wait(31 * sec)
	h.reap(j1)
	h.claim(j1, by(w2))
	h.complete(j1, 2, by(w2))

	first := Delivery{Job: j1, N: 1, ID: h.id(j1), Worker: w1, Token: 1, Until: 30 * sec, Ended: true}
	second := Delivery{Job: j1, N: 2, ID: h.id(j1), Worker: w2, Token: 2, Until: 61 * sec, Ended: true, Settled: true}
	for n, want := range []Delivery{first, second} {
		if got, ok := l.Delivery(j1, int32(n+1)); !ok || got != want {
			t.Errorf("J1#%d is %+v (%v), want %+v", n+1, got, ok, want)
		}
	}
	for _, n := range []int32{0, 3} {
		if got, ok := l.Delivery(j1, n); ok {
			t.Errorf("J1#%d does not exist, and yet it is %+v", n, got)
		}
	}
	if _, ok := l.Delivery(j3, 1); ok {
		t.Error("a job that was never seen has a delivery")
	}
	if l.Deliveries(j1) != 2 || l.Deliveries(j3) != 0 {
		t.Errorf("%d and %d deliveries, want 2 and 0", l.Deliveries(j1), l.Deliveries(j3))
	}
}

func TestALeaseEndsOnceAndForAllWhenTheClockHasShownItsDeadline(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.wait(10 * sec)
	h.skew = 60 * sec
	h.tell(Event{Kind: ClockSet, Proc: queue, Skew: 60e9, Server: 70 * sec})
	h.skew = 0
	h.tell(Event{Kind: ClockSet, Proc: queue, Server: 10 * sec})
	if d, _ := h.judge.Ledger().Delivery(j1, 1); !d.Ended {
		t.Error("the clock showed 70s, and the lease until 30s has not ended")
	}
	h.reap(j1)
	h.claim(j1, by(w2))
	h.wantBroken(t)
}

// Nothing was asked of the queue between the steps; the clock went on alone.
func TestTheClockIsReadOnceMoreBeforeItIsSetBack(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.wait(31 * sec)
	h.skew = -20 * sec
	h.tell(Event{Kind: ClockSet, Proc: queue, Skew: -20e9, Server: 11 * sec})
	if d, _ := h.judge.Ledger().Delivery(j1, 1); !d.Ended {
		t.Error("the clock passed 30s before it was set back, and the lease has not ended")
	}
}

func TestTheClockIsReadWithTheOffsetThatItHad(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.skew = 60 * sec
	h.tell(Event{Kind: ClockSet, Proc: queue, Skew: 60e9, Server: 60 * sec})
	h.claim(j1) // until 90s by the server's clock
	h.wait(31 * sec)
	h.tell(Event{Kind: ClockSet, Proc: queue, Server: 31 * sec})
	if d, _ := h.judge.Ledger().Delivery(j1, 1); !d.Ended {
		t.Error("the clock showed 91s before it was set back, and the lease until 90s has not ended")
	}
}

func TestALapsedLeaseIsNotRevived(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.wait(31 * sec)
	h.extend(j1, 1) // late but unopposed: accepted as built
	h.reap(j1)
	h.claim(j1, by(w2))
	h.wantBroken(t)
	if d, _ := h.judge.Ledger().Delivery(j1, 1); d.Until != 30*sec {
		t.Errorf("the lease ended at 30s, and now it ends at %v", d.Until)
	}
}

func TestAnOperatorsRemovalEndsTheLease(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.remove(j1)
	h.enqueue(j1)
	h.claim(j1, by(w2))
	h.wantBroken(t)
}

func TestStateIsTheFirstThatFits(t *testing.T) {
	cases := []struct {
		want string
		tell func(h *tale)
	}{
		{"absent", func(h *tale) {}},
		{"absent", func(h *tale) { h.tell(Event{Kind: Sent, Op: OpEnqueue, Job: j1, ID: h.id(j1)}) }},
		{"pending", func(h *tale) { h.enqueue(j1) }},
		{"active", func(h *tale) { h.admit(j1); h.claim(j1) }},
		{"scheduled", func(h *tale) { h.admit(j1); h.claim(j1); h.retry(j1, 1) }},
		{"dead", func(h *tale) { h.admit(j1); h.pump(OpSweep, j1, InDead) }},
		{"pending+active", func(h *tale) { h.admit(j1, in(InPending|InActive)) }},
		{"pending+scheduled+dead", func(h *tale) { h.admit(j1, in(InPending|InSchedule|InDead)) }},
		{"ghost", func(h *tale) { h.admit(j1, in(InPending|InActive), rowLacks(HasState)) }},
		{"ghost", func(h *tale) { h.admit(j1, in(0)) }},
		{"completed", func(h *tale) { h.admit(j1); h.work(j1) }},
		{"pending", func(h *tale) { h.admit(j1); h.work(j1); h.enqueue(j1) }},
		{"completed", func(h *tale) { h.admit(j1); h.work(j1); h.enqueue(j1); h.forget(j1, Standing{}) }},
		{"removed", func(h *tale) { h.admit(j1); h.remove(j1) }},
		{"lost", func(h *tale) { h.admit(j1); h.forget(j1, Standing{}) }},
		{"lost", func(h *tale) { h.admit(j1); h.remove(j1); h.enqueue(j1); h.forget(j1, Standing{}) }},
		{"absent", func(h *tale) { h.enqueue(j1); h.forget(j1, Standing{}) }},
	}
	for _, tc := range cases {
		h := newTale(world())
		tc.tell(h)
		if got := h.judge.Ledger().State(j1); got != tc.want {
			t.Errorf("after %v\nthe state is %s, want %s", h.history.Events, got, tc.want)
		}
	}
}

func TestOfSeveralIDsTheMostAliveSpeaks(t *testing.T) {
	h := newTale(world())
	l := h.judge.Ledger()
	h.admit(j1)
	h.work(j1)
	h.ids[j1], h.stands[j1] = ID{NS: JOB, Value: 2000}, nil
	h.enqueue(j1)
	if got := l.State(j1); got != "pending" {
		t.Errorf("one id is completed and one pending: %s, want pending", got)
	}
	h.claim(j1)
	if got := l.State(j1); got != "active" {
		t.Errorf("one id is completed and one active: %s, want active", got)
	}
	h.retry(j1, 2)
	h.ids[j1], h.stands[j1] = ID{NS: JOB, Value: 3000}, nil
	h.enqueue(j1)
	h.pump(OpSweep, j1, InDead)
	if got := l.State(j1); got != "scheduled" {
		t.Errorf("the ids are completed, scheduled and dead: %s, want scheduled", got)
	}
	if l.Deliveries(j1) != 2 || l.Effects(j1) != 1 {
		t.Errorf("%d deliveries and %d effects over both ids, want 2 and 1", l.Deliveries(j1), l.Effects(j1))
	}
	if id := (ID{NS: JOB, Value: 2000}); l.JobOf(id) != j1 || l.Standing(id).Sets != InSchedule {
		t.Errorf("the second id goes under job %d and stands in %b", l.JobOf(id), l.Standing(id).Sets)
	}
}

// What an id goes under is told by those who let it into the queue; what is lost, late or
// done elsewhere under a name tells nothing.
func TestOnlyWhatEntersTheQueueSaysWhoseAnIDIs(t *testing.T) {
	for _, c := range []struct {
		e    Event
		says bool
	}{
		{Event{Kind: Sent, Op: OpEnqueue}, true},
		{Event{Kind: Sent, Op: OpComplete}, false},
		{Event{Kind: Applied, Op: OpComplete, Answer: Gone}, true},
		{Event{Kind: Admitted, Op: OpEnqueue}, true},
		{Event{Kind: Lost, Op: OpEnqueue}, false},
		{Event{Kind: TimedOut, Op: OpEnqueue}, false},
		{Event{Kind: Effected, Op: OpApply, Effect: 1}, false},
	} {
		h := newTale(world())
		c.e.Job, c.e.ID = j1, h.id(j1)
		h.tell(c.e)
		if got := h.judge.Ledger().JobOf(h.id(j1)); (got == j1) != c.says {
			t.Errorf("%s %s: the id goes under job %d", c.e.Kind, c.e.Op, got)
		}
	}
}

// What belongs to no job is no job's, and nobody's first one.
func TestWhatBelongsToNoJobIsNotAskedFor(t *testing.T) {
	h := newTale(world())
	l := h.judge.Ledger()
	h.tell(Event{Kind: Applied, Proc: w1, Op: OpClaim, ID: h.id(j1), Answer: OK, Token: 1, N: 1})
	h.tell(Event{Kind: Effected, Proc: w1, Effect: 1})
	if l.Deliveries(NoJob) != 0 || l.Effects(NoJob) != 0 || l.Admitted(NoJob) || l.State(NoJob) != StateAbsent {
		t.Errorf("no job has %d deliveries and %d effects, and is %s", l.Deliveries(NoJob), l.Effects(NoJob), l.State(NoJob))
	}
}

// An event of a kind or a verb that does not exist is no reason to fail.
func TestWhatDoesNotExistIsNotJudged(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	for _, e := range []Event{{Kind: Ended + 1}, {Kind: Applied, Op: OpDrain + 1, Job: j1, ID: h.id(j1)}, {Kind: 255}, {Kind: Applied, Op: 255}} {
		h.tell(e)
	}
	h.wantBroken(t)
}

// Who speaks a raw enqueue is told the answer there and then, that it is a duplicate,
// too, unless a fault takes that very answer.
func TestARawEnqueueTellsItsSpeaker(t *testing.T) {
	raw := func(a Answer) Event { return Event{Kind: Applied, Op: OpEnqueue, Job: j1, Answer: a, Flags: IsRaw} }
	lost := Event{Kind: Lost, Op: OpEnqueue, Job: j1, Cause: ByFault, Flags: IsRaw | IsReply}
	for name, c := range map[string]struct {
		tell []Event
		want bool
	}{
		"enqueued":                          {[]Event{raw(Enqueued)}, true},
		"a duplicate":                       {[]Event{raw(Duplicate)}, true},
		"locked":                            {[]Event{raw(Locked)}, false},
		"the answer is lost":                {[]Event{raw(Enqueued), lost}, false},
		"the answer of another one is lost": {[]Event{raw(Enqueued), {Kind: Woke}, lost}, true},
	} {
		h := newTale(world())
		for _, e := range c.tell {
			if e.Job == j1 {
				e.ID = h.id(j1)
			}
			h.tell(e)
		}
		if got := h.judge.Ledger().Admitted(j1); got != c.want {
			t.Errorf("%s: admitted is %v", name, got)
		}
	}
}

// A queue that does not say the how manyeth claim it is has its claims counted; one that
// says it is believed.
func TestAClaimWithoutANumberIsCounted(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	for _, n := range []int32{0, 0, 7} {
		h.claim(j1, func(e *Event, _ *Standing) { e.N = n })
		h.wait(31 * sec)
		h.reap(j1)
	}
	for _, n := range []int32{1, 2, 7} {
		if _, ok := h.judge.Ledger().Delivery(j1, n); !ok {
			t.Errorf("there is no J1#%d", n)
		}
	}
	if _, ok := h.judge.Ledger().Delivery(j1, 3); ok {
		t.Error("the third claim said that it is J1#7, and is J1#3")
	}
}
