package model_test

import (
	"testing"

	. "github.com/ackgap/ackgap/model"
	"pgregory.net/rapid"
)

// An honest queue and honest workers, in any order of events with any crashes
// and lost messages: every property is kept, whatever happens.
func TestAnHonestWorldKeepsEveryProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newTale(world())
		for range rapid.IntRange(0, 80).Draw(t, "steps") {
			job := Job(rapid.IntRange(1, 4).Draw(t, "job"))
			honestSteps[rapid.IntRange(0, len(honestSteps)-1).Draw(t, "step")](h, job)
			h.wait(Time(rapid.SampledFrom([]int64{0, 1, 500, 1000, 7000}).Draw(t, "wait")) * ms)
		}
		h.bringHome()
		if broken := h.broken(); broken != nil {
			t.Fatalf("broken: %v, %+v", broken, h.verdict(broken[0]).Witness)
		}
		if v := h.verdict("drains"); v.Value != Held {
			t.Fatalf("drains is %v: %s", v.Value, v.Witness.Says)
		}
	})
}

var honestSteps = []func(h *tale, j Job){
	func(h *tale, j Job) { h.admit(j) },
	func(h *tale, j Job) { h.claimNext() },
	func(h *tale, j Job) { h.finish(j) },
	func(h *tale, j Job) { h.settleAny(OpRetry, j, h.claims[j]) },
	func(h *tale, j Job) { h.settleAny(OpExtend, j, h.claims[j]) },
	func(h *tale, j Job) { h.settleAny(OpComplete, j, h.claims[j]-1) }, // the zombie
	func(h *tale, j Job) { h.settleAny(OpRetry, j, h.claims[j]-1) },
	func(h *tale, j Job) { h.tick(j) },
	func(h *tale, j Job) { h.operatorStep(j) },
	func(h *tale, j Job) { h.tell(Event{Kind: Crashed, Proc: w1, Until: h.now + sec}) },
}

// claimNext claims the smallest pending job, or finds nothing.
func (h *tale) claimNext() {
	for j := Job(1); j <= 4; j++ {
		if h.standing(j).Sets != InPending {
			continue
		}
		if int(h.claimsSince[j]) < h.facts.MaxAttempts {
			h.claim(j)
		} else {
			h.remove(j) // the queue declares deliveries-bounded, and this world keeps it
		}
		return
	}
	h.claimNothing()
}

// finish changes the outside ledger unless the marker stands, and completes.
func (h *tale) finish(j Job) {
	if h.claims[j] == 0 || h.standing(j).Sets != InActive {
		return
	}
	if h.effects[j] == 0 {
		h.effect(j)
	} else {
		h.tell(Event{Kind: Absorbed, Proc: w1, Job: j, N: h.claims[j], Cause: ByMarker})
	}
	h.complete(j, h.claims[j])
}

func (h *tale) settleAny(op Op, j Job, n int32) {
	if n < 1 {
		return
	}
	switch op {
	case OpComplete:
		if n < h.claims[j] { // a zombie's complete must not pass for work that never ran
			h.complete(j, n)
		}
	case OpRetry:
		h.retry(j, n, honestCap(h, n))
	case OpExtend:
		h.extend(j, n)
	}
}

// honestCap names a cap by which the answer, given by the delivery, is right.
func honestCap(h *tale, n int32) edit {
	return func(e *Event, after *Standing) {
		e.Token = Token(n)
		if after.Sets == InDead {
			e.Max = n
		} else {
			e.Max = n + 1
		}
	}
}

// tick lets the pumps do what is due of j.
func (h *tale) tick(j Job) {
	switch s := h.standing(j); {
	case s.Sets == InActive && s.Deadline <= h.server():
		h.reap(j)
	case s.Sets == InSchedule && s.RunAt <= h.server():
		h.promote(j)
	}
}

func (h *tale) operatorStep(j Job) {
	switch h.standing(j).Sets {
	case InDead:
		h.remove(j)
	case InPending:
		h.remove(j)
	}
}

// bringHome lets time pass until every job has come to its end.
func (h *tale) bringHome() {
	for range 20 {
		h.wait(31 * sec)
		for j := Job(1); j <= 4; j++ {
			h.tick(j)
		}
		for range 4 {
			h.claimNext()
		}
		for j := Job(1); j <= 4; j++ {
			h.finish(j)
		}
	}
	h.end(Quiet)
}
