package model_test

import (
	"slices"
	"testing"

	. "github.com/ackgap/ackgap/model"
)

func TestAHistoryNumbersItsEventsAndKeepsTheirTouchesApart(t *testing.T) {
	var h History
	pending := Standing{Sets: InPending, Fields: FullRow}
	a := Touch{ID: ID{NS: JOB, Value: 1}, After: pending}
	b := Touch{ID: ID{NS: JOB, Value: 2}, After: pending}
	h.Add(Event{Kind: Applied}, []Touch{a})
	h.Add(Event{Kind: Answered}, nil)
	third := h.Add(Event{Kind: Applied}, []Touch{b, a})
	if third.Seq != 3 {
		t.Errorf("the third event has number %d", third.Seq)
	}
	for seq, want := range [][]Touch{{a}, {}, {b, a}} {
		if got := h.TouchedBy(int32(seq + 1)); !slices.Equal(got, want) {
			t.Errorf("event %d touched %v, want %v", seq+1, got, want)
		}
	}
}

// A history that keeps nothing numbers its events as one that keeps all, from 1 on and
// from 1 again once it is empty.
func TestAHistoryThatKeepsNothingNumbersItsEventsToo(t *testing.T) {
	var h History
	for range 2 {
		for want := range int32(3) {
			e := Event{Kind: Applied}
			if h.Note(&e); e.Seq != want+1 {
				t.Errorf("event %d has number %d", want+1, e.Seq)
			}
		}
		h.Reset()
	}
}

// Each of these fields moves the digest; the number does not, for it follows from
// the place.
func TestTheDigestCoversTheFieldsOfARecord(t *testing.T) {
	base := Event{At: 1, Kind: Applied}
	changed := []Event{
		{At: 2, Kind: Applied}, {At: 1, Kind: Answered}, {At: 1, Kind: Applied, Proc: 1}, {At: 1, Kind: Applied, Peer: 1},
		{At: 1, Kind: Applied, Op: OpClaim}, {At: 1, Kind: Applied, Step: StepApply}, {At: 1, Kind: Applied, Answer: OK},
		{At: 1, Kind: Applied, Cause: ByFault}, {At: 1, Kind: Applied, Job: 1}, {At: 1, Kind: Applied, ID: ID{NS: JOB, Value: 1}},
		{At: 1, Kind: Applied, N: 1}, {At: 1, Kind: Applied, Nth: 1}, {At: 1, Kind: Applied, Call: 1}, {At: 1, Kind: Applied, Token: 1},
		{At: 1, Kind: Applied, Until: 1}, {At: 1, Kind: Applied, Server: 1}, {At: 1, Kind: Applied, ID: ID{NS: JOB}}, {At: 1, Kind: Applied, Skew: 1}, {At: 1, Kind: Applied, Max: 1},
		{At: 1, Kind: Applied, Moved: 1}, {At: 1, Kind: Applied, Dead: 1}, {At: 1, Kind: Applied, Effect: 1},
		{At: 1, Kind: Applied, Flags: IsCopy},
	}
	for _, e := range changed {
		if digestOf(e) == digestOf(base) {
			t.Errorf("%+v has the digest of %+v", e, base)
		}
	}
	numbered := base
	numbered.Seq = 7
	if digestOf(numbered) != digestOf(base) {
		t.Error("the number of an event moves the digest")
	}
}

func TestTheDigestCoversTheOrder(t *testing.T) {
	a, b := Event{Kind: Paused, Proc: 1}, Event{Kind: Woke, Proc: 1}
	if digestOf(a, b) == digestOf(b, a) {
		t.Error("two histories in different orders have one digest")
	}
}

// Pinned: whoever changes what a digest covers changes every golden digest.
func TestTheDigestIsPinned(t *testing.T) {
	got := digestOf(Event{At: 1, Kind: Applied, Proc: 2, Op: OpComplete, Answer: OK, Job: 1, N: 1, Token: 1}).String()
	if want := "7fbe81960bb0f54c"; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	if got := Digest(0x0123456789abcdef).String(); got != "0123456789abcdef" {
		t.Errorf("a digest is written as %s", got)
	}
}

func digestOf(events ...Event) Digest {
	var d Digest
	for i := range events {
		d.Add(&events[i])
	}
	return d
}

func TestEveryWordOfAHistoryIsSaidOnce(t *testing.T) {
	checkWords(t, "kind", func(i int) string { return Kind(i).String() }, int(Ended))
	checkWords(t, "cause", func(i int) string { return Cause(i).String() }, int(ByError))
	checkWords(t, "step", func(i int) string { return Step(i).String() }, int(StepSleep))
	checkWords(t, "claim", func(i int) string { return Claim(i).String() }, int(Sometimes))
	checkWords(t, "value", func(i int) string { return Value(i).String() }, int(Unknown))
}

// checkWords sees that 0..last have words of their own and last+1 has none.
func checkWords(t *testing.T, what string, word func(int) string, last int) {
	t.Helper()
	var seen []string
	for i := 0; i <= last; i++ {
		w := word(i)
		if w == "" || w == "invalid" || slices.Contains(seen, w) {
			t.Errorf("%s %d is called %q", what, i, w)
		}
		seen = append(seen, w)
	}
	if w := word(last + 1); w != "invalid" {
		t.Errorf("%s %d does not exist and is called %q", what, last+1, w)
	}
}

func TestStepsAreReadAsTheyAreWritten(t *testing.T) {
	for s := StepClaim; s <= StepPay; s++ {
		if got, ok := ParseStep(s.String()); !ok || got != s {
			t.Errorf("%q is read as %v (%v)", s, got, ok)
		}
	}
	for _, no := range []string{"", "none", "Apply", "aply"} {
		if got, ok := ParseStep(no); ok {
			t.Errorf("%q is no step, and is read as %v", no, got)
		}
	}
}

func TestNamesStandInForWhatIsMissing(t *testing.T) {
	n := Names{Procs: []string{"", "w1"}, Jobs: []string{"", "J1"}}
	for _, tc := range []struct{ got, want string }{
		{n.Proc(1), "w1"}, {n.Proc(NoProc), "world"}, {n.Proc(2), "world"}, {n.Proc(-1), "world"},
		{n.Job(1), "J1"}, {n.Job(NoJob), "-"}, {n.Job(2), "-"}, {n.Job(-1), "-"},
	} {
		if tc.got != tc.want {
			t.Errorf("%q, want %q", tc.got, tc.want)
		}
	}
}

func TestFlagsAreAskedForTogether(t *testing.T) {
	e := Event{Flags: IsReply | IsCopy}
	if !e.Has(IsReply|IsCopy) || !e.Has(IsCopy) || e.Has(IsReply|IsLate) {
		t.Errorf("flags %b: has reply and copy %v, has late too %v", e.Flags, e.Has(IsReply|IsCopy), e.Has(IsReply|IsLate))
	}
}
