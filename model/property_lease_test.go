package model_test

import (
	"testing"

	. "github.com/ackgap/ackgap/model"
)

// asking is a world in which every claim and extend asks for the same lease.
func asking() Facts {
	f := world()
	f.AsksLease = true
	return f
}

// A queue that says of a lease another end than was asked for is not judged by its own
// word: whoever leaves Until out would never be seen to lease a job twice.
func TestALeaseOfAnotherEndThanWasAskedForIsNotHeld(t *testing.T) {
	for name, until := range map[string]Time{
		"none": 0, "past": -sec, "shorter": sec, "longer": 31 * sec, "first": -1 << 63, "last": Never,
	} {
		lie := func(e *Event, _ *Standing) { e.Until = until }
		atClaim := newTale(asking())
		atClaim.admit(j1)
		atClaim.claim(j1, lie)
		atClaim.wait(sec)
		atClaim.claim(j1, lie)
		atExtend := newTale(asking())
		atExtend.admit(j1)
		atExtend.claim(j1)
		atExtend.extend(j1, 1, lie)
		for at, h := range map[string]*tale{"claim": atClaim, "extend": atExtend} {
			for _, property := range []string{"single-holder", "deadline-monotone"} {
				if v := h.verdict(property); v.Value == Held || v.Value == Unknown && len(v.Witness.Events) != 1 {
					t.Errorf("%s, at the %s: %s is %s: %s", name, at, property, v.Value, v.Witness.Says)
				}
			}
		}
	}
}

// Rounding to whole milliseconds is no contradiction, nor is any end where nobody says
// what was asked for.
func TestALeaseMayBeRoundedOrBeOfAnyLengthWhereNobodySaysWhatWasAsked(t *testing.T) {
	rounded := func(e *Event, _ *Standing) { e.Until -= ms - 1 }
	short := func(e *Event, _ *Standing) { e.Until = sec }
	for _, c := range []struct {
		facts Facts
		edit  edit
	}{{asking(), rounded}, {world(), short}} {
		h := newTale(c.facts)
		h.admit(j1)
		h.claim(j1, c.edit)
		if v := h.verdict("single-holder"); v.Value != Held || v.Evaluations != 1 {
			t.Errorf("%+v", v)
		}
	}
}
