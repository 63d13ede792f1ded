package script_test

import (
	"testing"

	"github.com/ackgap/ackgap/faults/script"
)

func TestWhatIsCountedIsOneOrMany(t *testing.T) {
	for n, want := range []string{"0 deliveries", "1 delivery", "2 deliveries"} {
		if got := script.Count(n, "delivery"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := script.Count(7, "row"); got != "7 rows" {
		t.Errorf("got %s", got)
	}
}
