package eventlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// Values that a writer leaves where it knew none, or that cannot be, hold nothing; the
// same log without them is complete.
func TestAValueThatCannotBeHoldsNothing(t *testing.T) {
	events := []string{
		"admitted J shop", "enqueued J shop", "claimed J w1 token=1", "extended J w1 token=1", "applied J w1",
		"reaped time=60000000000", "claimed J w2 token=2 time=61000000000", "dead J w2 token=2 time=62000000000",
	}
	all := `{"format":"ackgap-log/1","lease":"30s","max-attempts":3,"tokens":"attempts","records":"all"}`
	log := func(events []string) string {
		lines := strings.Split(strings.TrimSpace(own(all, events...)), "\n")
		lines[len(lines)-1] = fmt.Sprintf(`{"seq":%d,%s}`, len(events)+1, told("ended cause=quiet time=70000000000"))
		return strings.Join(lines, "\n")
	}
	if r := check(t, []byte(log(events)), Options{}); len(r.Doubts) > 0 || len(heldIn(r.Verdicts)) == 0 {
		t.Fatalf("%q", r.Doubts)
	}
	for _, c := range []struct {
		line int
		adds string
	}{
		{2, "until=0"}, {2, "until=2000000000"}, {3, "until=0"}, {6, "until=0"},
		{2, "server=0"}, {2, "server=never"}, {3, "server=never"}, {2, "server=99999999999999999"},
		{2, "n=0"}, {6, "n=0"}, {3, "n=0"}, {7, "n=0"}, {7, "n=1"}, {7, "max=0"}, {2, "n=7"}, {7, "n=7"},
		{2, "token=0"}, {6, "token=0"}, {7, "token=0"}, {4, "effect=0"},
	} {
		lines := slices.Clone(events)
		lines[c.line] = strings.Replace(lines[c.line], " "+strings.Split(c.adds, "=")[0]+"=", " x-was=", 1) + " " + c.adds
		if r := check(t, []byte(log(lines)), Options{}); len(heldIn(r.Verdicts)) > 0 || len(r.Doubts) == 0 {
			t.Errorf("%s with %s: held %v, %q", events[c.line], c.adds, heldIn(r.Verdicts), r.Doubts)
		}
	}
}

// Where every claim asked for the same lease, a lease of another end is no word to judge by.
func TestALeaseOfAnotherEndThanAllAskedForIsNotHeld(t *testing.T) {
	asks := strings.Replace(ownHeader, `"lease"`, `"asks-lease":true,"lease"`, 1)
	for header, want := range map[string]model.Value{ownHeader: model.Held, asks: model.Unknown} {
		if got, why := value(t, own(header, "claimed J w1 token=1 until=1000000001", "settled J w1 token=1"), "single-holder"); got != want {
			t.Errorf("%s, want %s: %s", got, want, why)
		}
	}
	if _, err := Check(strings.NewReader(`{"format":"ackgap-log/1","asks-lease":true}`), Options{}); err == nil || !strings.Contains(err.Error(), "asks-lease: it needs lease") {
		t.Error(err)
	}
}

// The queue's clock goes back though no line sets it, and what it showed was its own word.
func TestAClockOfTheQueuesOwnThatGoesBackIsSeen(t *testing.T) {
	got, why := value(t, own(ownHeader, "claimed J w1 token=1 server=5000000000", "settled J w1 token=1 server=4000000000"), "single-holder")
	if got != model.Unknown || !strings.Contains(why, "clock goes back in line 3") {
		t.Errorf("%s: %s", got, why)
	}
}

// Work on a job that nobody claimed is work on another one, whose name was damaged.
func TestWorkOnAJobThatNobodyClaimedLeavesADoubt(t *testing.T) {
	for _, kind := range []string{"applied", "absorbed", "failed", "checked", "marked"} {
		got, why := value(t, own(ownHeader, "claimed order-7 w1 token=1", "applied order-7 w1", "claimed order-7 w2 token=2", kind+" ordr-7 w2"), "no-duplicate-effect")
		if got != model.Unknown || !strings.Contains(why, "no line before it claimed") {
			t.Errorf("%s: %s: %s", kind, got, why)
		}
	}
	none := strings.Replace(ownHeader, `"claimed",`, "", 1)
	if got, why := value(t, own(none, "applied order-7 w1"), "no-duplicate-effect"); got != model.Held {
		t.Errorf("claims are not recorded, and it is %s: %s", got, why)
	}
}

// A handler that acted and then failed is the gap itself: unless its span says what it
// had done, nobody knows.
func TestAFailedProcessSpanLeavesADoubtUnlessItSaysWhatItDid(t *testing.T) {
	log := spans(t, "orders.otlp.jsonl")
	first := `"boolValue":false}},{"key":"messaging.operation`
	if !strings.Contains(log, first) {
		t.Fatal("the failed span has moved")
	}
	silent := strings.Replace(log, `{"key":"ackgap.effect","value":{`+first, `{"key":"messaging.operation`, 1)
	if got, why := value(t, silent, "no-duplicate-effect"); got != model.Unknown || !strings.Contains(why, "a process span that failed") {
		t.Errorf("%s: %s", got, why)
	}
	acted := strings.Replace(log, first, strings.Replace(first, "false", "true", 1), 1)
	if r := check(t, []byte(acted), Options{}); r.Events != 12 || len(r.Doubts) > 0 {
		t.Errorf("%d events: %q", r.Events, r.Doubts)
	}
}
