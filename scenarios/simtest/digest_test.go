package simtest_test

import (
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/simtest"
)

// pinnedWorlds is what 100 worlds of each classic come to, folded: the same however
// a crash ends a handler (with ackgap_exact and without), on any number of
// processors, on 386 and as WASM.
const pinnedWorlds = "7465562ff371337a"

func TestTheWorldsOfAHandlerArePinned(t *testing.T) {
	var sum model.Digest
	for _, c := range classics {
		for _, h := range []simtest.Handler{c.faulty, c.right} {
			consumer := simtest.NewConsumer(t, h)
			for seed := range uint64(100) {
				w, err := consumer.World(seed)
				if err != nil {
					t.Fatal(err)
				}
				sum = model.Digest(model.Mix(uint64(sum ^ w.Outcome.History.Digest)))
			}
		}
	}
	if got := sum.String(); got != pinnedWorlds {
		t.Errorf("the worlds left %s, pinned is %s", got, pinnedWorlds)
	}
}
