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

// A millisecond is as much as rounding may take; a whole one is another lease.
func TestAMillisecondIsNoRounding(t *testing.T) {
	for off, want := range map[Time]Value{-ms: Unknown, -ms + 1: Held, 0: Held, ms - 1: Held, ms: Unknown} {
		h := newTale(asking())
		h.admit(j1)
		h.claim(j1, func(e *Event, _ *Standing) { e.Until += off })
		if v := h.verdict("single-holder"); v.Value != want {
			t.Errorf("%v off: single-holder is %s", off, v.Value)
		}
	}
}

// An extension by less than was asked for is what it is where the row says the same: what
// the queue did, if to an instant that is still to come. That it set the deadline back
// is broken, and not unknown.
func TestAShorterExtensionThatTheRowConfirmsIsBelieved(t *testing.T) {
	lie := func(until, row Time, sets Sets) edit {
		return func(e *Event, after *Standing) { e.Until, after.Deadline, after.Sets = until, row, sets }
	}
	for name, c := range map[string]struct {
		edit           edit
		monotone, held Value
	}{
		"the row says the same":           {lie(9*sec, 9*sec, InActive), Broken, Held},
		"the row says another instant":    {lie(9*sec, 8*sec, InActive), Broken, Unknown},
		"what was asked, and in no lease": {lie(31*sec, 31*sec, InPending), Held, Held},
		"a lease of no length":            {lie(sec, sec, InActive), Broken, Unknown},
		"an end that is past":             {lie(-sec, -sec, InActive), Broken, Unknown},
		"longer, as the row says":         {lie(99*sec, 99*sec, InActive), Held, Held},
		"longer, as the row does not say": {lie(99*sec, 98*sec, InActive), Unknown, Unknown},
		"longer, and in no lease":         {lie(99*sec, 99*sec, InPending), Unknown, Unknown},
	} {
		h := newTale(asking())
		h.admit(j1)
		h.claim(j1)
		h.wait(sec)
		h.extend(j1, 1, c.edit)
		monotone, holder := h.verdict("deadline-monotone"), h.verdict("single-holder")
		if monotone.Value != c.monotone || holder.Value != c.held {
			t.Errorf("%s: deadline-monotone is %s, single-holder %s", name, monotone.Value, holder.Value)
		}
	}
}

// Whose row it is counts: another row that says so confirms nothing.
func TestAnotherRowConfirmsNoExtension(t *testing.T) {
	h := newTale(asking())
	h.admit(j1)
	h.claim(j1)
	h.wait(sec)
	leased := Standing{Sets: InActive, Fields: FullRow, Attempts: 1, Deadline: 99 * sec}
	h.tell(Event{Kind: Applied, Proc: w1, Op: OpExtend, Job: j1, ID: h.id(j1), N: 1, Token: 1, Answer: OK, Until: 99 * sec},
		Touch{ID: h.id(j2), After: leased})
	h.wantValue(t, "deadline-monotone", Unknown, "nobody knows until when it runs")
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
