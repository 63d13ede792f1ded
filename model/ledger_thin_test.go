package model_test

import (
	"testing"

	. "github.com/ackgap/ackgap/model"
)

// failForever claims j, whose handler fails, so many times more.
func (h *tale) failForever(j Job, times int) {
	for range times {
		h.claim(j)
		h.retry(j, h.claims[j])
		h.wait(sec)
		h.promote(j)
	}
}

// afterMany tells of a job that was delivered once without a settlement, then fails so
// often that a judge who forgets has dropped what is old. What is said late is about
// one of the old deliveries.
func afterMany(forgets bool, late func(h *tale)) *tale {
	facts := world()
	facts.Forgets, facts.MaxAttempts = forgets, 1_000_000
	h := newTale(facts)
	h.admit(j1)
	h.failForever(j1, 2)
	h.claim(j1) // J1#3 lapses
	h.wait(31 * sec)
	h.reap(j1)
	h.failForever(j1, 1<<14)
	late(h)
	return h
}

func TestWhoForgetsKeepsWhatWasNotSettledAndWhatIsRecent(t *testing.T) {
	h := afterMany(true, func(*tale) {})
	last := h.claims[j1]
	const dropped = 1<<14 - 17 // it was looked for others at delivery 1<<14 - 1
	for n, want := range map[int32]bool{1: false, 2: false, 3: true, 4: false, dropped: false, dropped + 1: true, last - 15: true, last: true} {
		if _, known := h.judge.Ledger().Delivery(j1, n); known != want {
			t.Errorf("J1#%d is known: %v, want %v", n, known, want)
		}
	}
	if n := h.judge.Ledger().Deliveries(j1); n != int(last) {
		t.Errorf("%d deliveries, want %d", n, last)
	}
	if _, known := afterMany(false, func(*tale) {}).judge.Ledger().Delivery(j1, 1); !known {
		t.Error("who does not forget has forgotten J1#1")
	}
}

// Whatever is said late, of a delivery that was dropped or of one that was kept, the
// verdicts are those of a judge who has kept everything.
func TestWhoForgetsJudgesAlike(t *testing.T) {
	for name, late := range map[string]func(h *tale){
		"nothing":                       func(h *tale) { h.claim(j1) },
		"a settled delivery, again":     func(h *tale) { h.claim(j1); h.complete(j1, 1, answer(OK)) },
		"the last one that was dropped": func(h *tale) { h.claim(j1); h.complete(j1, 1<<14-17, answer(OK)) },
		"the first one that was kept":   func(h *tale) { h.claim(j1); h.complete(j1, 1<<14-16, answer(OK)) },
		"a settled delivery, refused":   func(h *tale) { h.claim(j1); h.complete(j1, 2, answer(Stale)) },
		"a settled one, extended":       func(h *tale) { h.claim(j1); h.extend(j1, 4, answer(OK), until(1)) },
		"one that lapsed, the first":    func(h *tale) { h.claim(j1); h.complete(j1, 3, answer(OK)) },
		"one that lapsed, once more":    func(h *tale) { h.complete(j1, 3, answer(OK)); h.complete(j1, 3, answer(OK)) },
		"the last, and once more":       func(h *tale) { h.claim(j1); n := h.claims[j1]; h.complete(j1, n); h.complete(j1, n, answer(OK)) },
		"a second holder after it all":  func(h *tale) { h.claim(j1); h.claim(j1, by(w2)) },
	} {
		want := afterMany(false, late).judge.Verdicts()
		for i, got := range afterMany(true, late).judge.Verdicts() {
			if got.Value != want[i].Value || got.Evaluations != want[i].Evaluations || got.Witness.Job != want[i].Witness.Job {
				t.Errorf("%s: %s is %v after %d looks (%s), want %v after %d (%s)", name, got.Property,
					got.Value, got.Evaluations, got.Witness.Says, want[i].Value, want[i].Evaluations, want[i].Witness.Says)
			}
		}
	}
}
