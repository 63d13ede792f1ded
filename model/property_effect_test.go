package model_test

import (
	"testing"

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
	h.wantValue(t, "no-loss", Broken, "e1 told that the job is in, but")
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
