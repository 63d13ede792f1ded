package lessons

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/reports"
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

var opened [Count + 1]*Lesson

// open opens a lesson, which must not fail, once for all tests.
func open(t *testing.T, n int) *Lesson {
	t.Helper()
	if opened[n] == nil {
		l, err := Open(n)
		if err != nil {
			t.Fatal(err)
		}
		opened[n] = l
	}
	return opened[n]
}

// Each lesson is pinned word for word: read what changes before you take it.
func TestEachLessonIsPinned(t *testing.T) {
	for n := 1; n <= Count; n++ {
		l := open(t, n)
		golden(t, "lesson-"+itoa(n)+".txt", l.AppendText(nil, reports.Style{}))
		golden(t, "lesson-"+itoa(n)+".ascii.txt", l.AppendText(nil, reports.Style{ASCII: true}))
	}
}

func TestTheOtherPagesArePinned(t *testing.T) {
	golden(t, "words.txt", AppendWords(nil, reports.Style{}))
	golden(t, "contents.txt", AppendContents(nil, reports.Style{}))
	guide, err := AppendMap(nil, reports.Style{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "map.txt", guide)
}
