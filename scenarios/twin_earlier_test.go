package scenarios_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/faults"
)

// Where a consumer does nothing the second time, whether a delivery had an effect
// hangs on those before it, of which the queue knows as little: an accepted ACK tells
// that the work is done, and not which delivery did it.
func TestWhatAnEarlierDeliveryDidIsAsUnknown(t *testing.T) {
	two := func(consumer, faults string) string {
		return strings.ReplaceAll("worker w1 consumer=%s\nworker w2 consumer=%s\njob J1\n", "%s", consumer) + faults
	}
	for _, c := range []struct {
		what, story string
		n           int32
		wrong       string
		fact        bool
	}{
		{"the first never ran, and might have", two("atomic", "fault crash w1 before=apply J1#1"), 2, "drop complete J1#1", true},
		{"the first ran, and might not have", two("atomic", "fault drop complete J1#1"), 2, "drop-reply claim J1#1", false},
		{"so with an upsert", two("natural", "fault drop complete J1#1"), 2, "drop-reply claim J1#1", false},
		{"so with a key", two("external-key", "fault drop complete J1#1"), 2, "drop-reply claim J1#1", false},
		{"a marker stands, and nothing was done", two("marker-first", "fault crash w1 before=apply J1#1"), 2, "drop-reply claim J1#1", false},
		{"a marker might stand", two("marker-first", "fault drop-reply claim J1#1"), 2, "error apply J1#1 and drop retry J1#1", true},
		{"a marker behind the effect might stand, and heartbeats stop",
			two("marker-last heartbeat=2s", "fault crash w1 before=apply J1#1"), 2, "crash w1 before=settle J1#1", true},
		{"all before it never ran, and the second might have",
			two("atomic", "fault crash w1 before=apply J1#1\nfault crash w2 before=apply J1#2 restart=1s"), 3, "drop complete J1#2", true},
		{"the first ran, and all before it might not have",
			two("atomic", "fault drop complete J1#1\nfault drop complete J1#2"), 3, "crash w1 before=check J1#1 restart=5s and crash w2 before=check J1#2 restart=5s", false},
	} {
		t.Run(c.what, func(t *testing.T) {
			story, h := ran(t, c.story)
			k := story.FindTwin(h, faults.Queue, 1, c.n)
			sameToTheObserver(t, h, k)
			if k.Twin != nil && (k.Twin.Wrong() != c.wrong || k.Fact != c.fact) {
				t.Errorf("%q, the fact is %v; want %q, %v", k.Twin.Wrong(), k.Fact, c.wrong, c.fact)
			}
		})
	}
}

// Of many earlier deliveries the last ones are turned, of which one is enough.
func TestOfManyEarlierDeliveriesTheLastAreTurned(t *testing.T) {
	text := "worker w1 consumer=atomic\nworker w2 consumer=atomic\njob J1\n"
	for n := range 10 {
		text += "fault drop-reply claim J1#" + strconv.Itoa(n+1) + "\n"
	}
	story, h := ran(t, text)
	k := story.FindTwin(h, faults.Queue, 1, 11)
	sameToTheObserver(t, h, k)
	if got := k.Twin.Wrong(); !strings.Contains(got, " J1#3 ") {
		t.Errorf("what goes wrong instead: %q", got)
	}
}
