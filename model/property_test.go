package model_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/ackgap/ackgap/model"
)

// For each property a history that keeps it and a history that breaks it, and
// breaks nothing else. What cannot be broken alone names its company.
var tales = []struct {
	property string
	holds    func(h *tale)
	breaks   func(h *tale)
	company  []string
}{
	{
		property: "no-loss",
		holds: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(31 * sec)
			h.reap(j1)
			h.work(j1)
			h.end(Quiet)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.forget(j1, Standing{})
		},
	},
	{
		property: "no-duplicate-effect",
		holds: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.effect(j1)
			h.wait(31 * sec)
			h.reap(j1)
			h.claim(j1)
			h.tell(Event{Kind: Absorbed, Proc: w1, Job: j1, N: 2, Cause: ByMarker})
			h.complete(j1, 2)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.effect(j1)
			h.wait(31 * sec)
			h.reap(j1)
			h.work(j1)
		},
	},
	{
		property: "stale-token-rejected",
		holds: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(31 * sec)
			h.reap(j1)
			h.claim(j1, by(w2))
			h.complete(j1, 1)
			h.complete(j1, 2, by(w2))
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(31 * sec)
			h.reap(j1)
			h.claim(j1, by(w2))
			h.complete(j1, 1, answer(OK), leaves(Standing{}))
		},
	},
	{
		property: "settled-once",
		holds: func(h *tale) {
			h.admit(j1)
			h.work(j1)
			h.complete(j1, 1)
		},
		breaks: func(h *tale) { // a retry is accepted twice; the incarnation has not ended
			h.admit(j1)
			h.claim(j1)
			h.retry(j1, 1)
			h.retry(j1, 1, answer(Scheduled))
		},
	},
	{
		property: "one-place",
		holds: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(31 * sec)
			h.reap(j1)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(31 * sec)
			h.reap(j1, in(InPending|InActive))
		},
	},
	{
		property: "no-ghost",
		holds: func(h *tale) {
			h.admit(j1)
			h.work(j1)
		},
		breaks: func(h *tale) { // never admitted, so that nothing is lost
			h.enqueue(j1, rowLacks(HasPayload))
		},
	},
	{
		property: "tokens-rise",
		holds: func(h *tale) {
			h.admit(j1)
			h.work(j1)
			h.enqueue(j1)
			h.claim(j1)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.work(j1)
			h.enqueue(j1)
			h.claim(j1, token(1))
		},
	},
	{
		property: "single-holder",
		holds: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(30 * sec) // the deadline itself is past the lease
			h.reap(j1)
			h.claim(j1, by(w2))
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(30*sec - 1*ms)
			h.reap(j1)
			h.claim(j1, by(w2))
		},
	},
	{
		property: "terminal-absorbing",
		holds: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(31 * sec)
			h.pump(OpSweep, j1, InDead)
			h.reprocess(j1)
			h.work(j1)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.work(j1)
			h.pump(OpReap, j1, InPending, leaves(Standing{Sets: InPending, Fields: FullRow}))
		},
	},
	{
		property: "admission-honest",
		holds: func(h *tale) {
			h.admit(j1)
			h.enqueue(j1)
		},
		breaks: func(h *tale) {
			h.enqueue(j1, answer(Duplicate), leaves(Standing{}))
		},
	},
	{
		property: "attempts-bounded",
		holds: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.retry(j1, 1)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.retry(j1, 1, answer(DeadLettered), leaves(Standing{Sets: InDead, Fields: FullRow, Attempts: 1}))
		},
	},
	{
		property: "deliveries-bounded",
		holds:    func(h *tale) { dieHolding(h, 3) },
		breaks:   func(h *tale) { dieHolding(h, 4) },
	},
	{
		property: "mint-order",
		holds: func(h *tale) {
			h.admit(j1)
			h.admit(j2)
			h.claim(j1)
			h.claim(j2)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.admit(j2)
			h.claim(j2)
		},
	},
	{
		property: "deadline-monotone",
		holds: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(10 * sec)
			h.extend(j1, 1)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.claim(j1)
			h.wait(10 * sec)
			h.extend(j1, 1, until(20*sec))
		},
	},
	{
		property: "work-conserving",
		holds: func(h *tale) {
			h.claimNothing()
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.claimNothing()
		},
	},
	{
		property: "drains",
		holds: func(h *tale) {
			h.admit(j1)
			h.work(j1)
			h.end(Quiet)
		},
		breaks: func(h *tale) {
			h.admit(j1)
			h.end(Quiet)
		},
	},
}

// dieHolding tells of n workers that die one after the other with J1 in hand.
func dieHolding(h *tale, n int) {
	h.admit(j1)
	for range n {
		h.claim(j1)
		h.wait(31 * sec)
		h.reap(j1)
	}
}

func TestEveryPropertyIsKeptByOneHistoryAndBrokenByAnother(t *testing.T) {
	for _, tc := range tales {
		t.Run(tc.property+" holds", func(t *testing.T) {
			h := newTale(world())
			tc.holds(h)
			h.wantBroken(t)
			if v := h.verdict(tc.property); v.Value != Held || v.Evaluations == 0 {
				t.Errorf("%v after %d evaluations, want held after one or more", v.Value, v.Evaluations)
			}
		})
		t.Run(tc.property+" breaks", func(t *testing.T) {
			h := newTale(world())
			tc.breaks(h)
			h.wantBroken(t, append([]string{tc.property}, tc.company...)...)
			checkWitness(t, h.verdict(tc.property).Witness)
		})
	}
}

// A witness speaks of all its events, in order, and of no other.
func checkWitness(t *testing.T, w Witness) {
	t.Helper()
	if len(w.Events) == 0 {
		t.Fatalf("a breach without evidence: %q", w.Says)
	}
	if w.Job != j1 {
		t.Errorf("the witness blames job %d, want %d", w.Job, j1)
	}
	for i := range w.Events {
		if !strings.Contains(w.Says, "e"+strconv.Itoa(i+1)) {
			t.Errorf("e%d is not spoken of: %q", i+1, w.Says)
		}
		if i > 0 && w.Events[i].Seq <= w.Events[i-1].Seq {
			t.Errorf("e%d stands before e%d in the history", i+1, i)
		}
	}
	if beyond := "e" + strconv.Itoa(len(w.Events)+1); strings.Contains(w.Says, beyond) {
		t.Errorf("%s is spoken of but not shown: %q", beyond, w.Says)
	}
}

func TestTheTalesCoverTheTableInItsOrder(t *testing.T) {
	var told []string
	for _, tc := range tales {
		told = append(told, tc.property)
	}
	var listed []string
	for _, p := range Properties() {
		listed = append(listed, p.Name)
	}
	if !slices.Equal(told, listed) {
		t.Errorf("told  %v\nlisted %v", told, listed)
	}
}

func TestEveryPropertyExplainsItself(t *testing.T) {
	for _, p := range everyProperty() {
		for what, text := range map[string]string{
			"column": p.Column, "doc": p.Doc, "source": p.Source, "holding": p.Holds, "breaking": p.Breaks,
		} {
			if text == "" {
				t.Errorf("%s has no %s text", p.Name, what)
			}
		}
		if found, ok := FindProperty(p.Name); !ok || found != p {
			t.Errorf("FindProperty(%q) = %v, %v", p.Name, found, ok)
		}
	}
	if _, ok := FindProperty("no-los"); ok {
		t.Error("FindProperty knows a property that does not exist")
	}
}
