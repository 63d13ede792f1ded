package charts

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"testing"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// The chart of every story of the catalogue is well-formed, and pinned by its digest. That
// no story is without one is seen by the test of cmd/ackgap that looks at all forms.
func TestTheChartOfEveryStoryIsPinned(t *testing.T) {
	const file = "testdata/digests"
	var digests []byte
	for _, name := range scenarios.Catalogue() {
		d := OfRun(runOf(t, name))
		svg := reports.AppendDrawing(nil, &d)
		check(t, svg)
		sum := sha256.Sum256(svg)
		digests = fmt.Appendf(digests, "%s\n  chart    %x\n", name, sum[:8])
	}
	if *update {
		if err := os.WriteFile(file, digests, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(digests, want) {
		t.Errorf("%s is another; draw the charts with --out chart=FILE, look at them, and run with -update if they are right", file)
	}
}
