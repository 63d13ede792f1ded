package reports

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name, or rewrites it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with -update, and look at it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// Each story is told in Unicode, in ASCII and as a history, byte for byte.
func TestEveryFormOfEachStoryIsPinned(t *testing.T) {
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			golden(t, s.name+".txt", AppendText(nil, s.run(), Style{}))
			golden(t, s.name+".ascii.txt", AppendText(nil, s.run(), Style{ASCII: true}))
			golden(t, s.name+".history", s.run().History.AppendText(nil))
		})
	}
}
