package model_test

import (
	"slices"
	"testing"

	. "github.com/ackgap/ackgap/model"
)

// Forget takes the jobs that are over, and nothing that somebody waits for or holds.
func TestForgetTakesWhatIsOver(t *testing.T) {
	for _, order := range orders {
		forgetWhatIsOver(t, order)
	}
}

// orders are those of admission: one in which ids rise, so that they are found by halving,
// and some in which they do not.
var orders = [][]Job{{j1, j2, j3}, {j3, j2, j1}, {j3, j1, j2}}

func forgetWhatIsOver(t *testing.T, order []Job) {
	h := newTale(world())
	for _, j := range order {
		h.admit(j)
	}
	h.claim(j1)
	h.effect(j1)
	h.complete(j1, 1)
	h.claim(j2)
	l := h.judge.Ledger()
	if gone := l.Forget([]Job{j1, j2, j3, 9, NoJob}); !slices.Equal(gone, []Job{j1}) {
		t.Fatalf("gone are %v", gone)
	}
	if l.State(j1) != StateAbsent || l.Deliveries(j1) != 0 || l.Effects(j1) != 0 {
		t.Errorf("of J1 is left: %s, %d deliveries, %d effects", l.State(j1), l.Deliveries(j1), l.Effects(j1))
	}
	if l.State(j2) != StateActive || l.State(j3) != StatePending {
		t.Errorf("J2 is %s and J3 %s", l.State(j2), l.State(j3))
	}
	if id, ok := l.Pending(); !ok || id != h.id(j3) {
		t.Errorf("the smallest pending id is %v, want that of J3", id)
	}
	if gone := l.Forget([]Job{j1}); len(gone) > 0 {
		t.Errorf("gone once more: %v", gone)
	}
	h.admit(j1)
	if l.State(j1) != StatePending || l.State(j2) != StateActive || l.State(j3) != StatePending || l.Standing(h.id(j3)).Sets != InPending {
		t.Errorf("J1 is new and %s, J2 %s, J3 %s", l.State(j1), l.State(j2), l.State(j3))
	}
}

// What a worker was granted last stays, though it is over: no-loss asks for it.
func TestForgetLeavesWhatIsInAHand(t *testing.T) {
	h := newTale(world())
	h.admit(j1)
	h.claim(j1)
	h.complete(j1, 1)
	if gone := h.judge.Ledger().Forget([]Job{j1}); len(gone) > 0 {
		t.Errorf("gone are %v, and w1 has asked for nothing since", gone)
	}
}

// After Forget the rest is judged as before, with the same evidence: what is broken
// about J2 rests on events from before and after.
func TestForgetChangesNoVerdictAboutOthers(t *testing.T) {
	for _, order := range orders {
		forgetOne(t, order)
	}
}

func forgetOne(t *testing.T, order []Job) {
	tell := func(forget bool) []Verdict {
		h := newTale(world())
		for _, j := range order {
			h.admit(j)
		}
		h.claim(j1)
		h.effect(j1)
		h.complete(j1, 1)
		h.claim(j2)
		h.effect(j2)
		h.wait(5 * sec)
		h.extend(j2, 1)
		if forget && len(h.judge.Ledger().Forget([]Job{j1})) != 1 {
			t.Error("J1 is not gone")
		}
		h.wait(5 * sec)
		h.extend(j2, 1, until(20*sec))
		h.wait(60 * sec)
		h.reap(j2)
		h.claim(j2)
		h.complete(j2, 1, answer(OK))
		h.effect(j2)
		h.claim(j3)
		return h.judge.Verdicts()
	}
	whole, less := tell(false), tell(true)
	for i, v := range whole {
		w := less[i]
		if v.Value != w.Value || v.Evaluations != w.Evaluations || v.Witness.Says != w.Witness.Says || !slices.Equal(v.Witness.Events, w.Witness.Events) {
			t.Errorf("%s: %+v\nand after Forget %+v", v.Property, v, w)
		}
	}
	broken := 0
	for _, v := range whole {
		if v.Value == Broken {
			broken++
		}
	}
	if broken < 3 {
		t.Errorf("only %d properties are broken, and the tale is meant to break three", broken)
	}
}
