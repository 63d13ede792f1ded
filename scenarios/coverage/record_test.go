package coverage_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// recordFile says what each mutant took when it was recorded: the worlds of all hunts
// together by each way, and the states of the search. -update adds a mutant that is
// not there, and changes no number that is: what has become harder is not to become
// the measure by itself.
const recordFile = "testdata/hunts.record"

// tooHard is how many times as hard as recorded a mutant may be. It is judged by all
// hunts together, for a median of few worlds is coarse: that seeds draw otherwise after
// a change doubles the worlds of 200 hunts for less than one mutant in a million.
const tooHard = 2

type record map[string][ways]int

// now returns what the mutant took.
func (h *hunted) now() [ways]int {
	return [ways]int{sum(h.took[plain]), sum(h.took[steered]), sum(h.took[priorities]), h.states}
}

// checkRecord holds what was measured against what was recorded.
func checkRecord(t *testing.T, list []*hunted) {
	t.Helper()
	old, kept := readRecord(t), []byte("# mutant, worlds by plain seeds, steered, by priorities, states of the search\n")
	for _, h := range list {
		was, known := old[h.name]
		if !known {
			was = h.now()
			if !*update {
				t.Errorf("%s is not in %s: run with -update to record it", h.name, recordFile)
			}
		}
		for _, complaint := range harder(was, h.now()) {
			t.Errorf("%s has become too hard to find: %s. Blame what was changed, or change %s by hand and say why", h.name, complaint, recordFile)
		}
		kept = fmt.Appendf(kept, "%s %d %d %d %d\n", h.name, was[0], was[1], was[2], was[3])
	}
	if len(old) > len(list) && !*update {
		t.Errorf("%s has mutants that are no more: run with -update", recordFile)
	}
	if *update {
		if err := os.WriteFile(recordFile, kept, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// harder says by which ways a mutant takes more than twice what it took.
func harder(was, is [ways]int) (list []string) {
	for way := range ways {
		if is[way] > tooHard*was[way] {
			list = append(list, fmt.Sprintf("%s took %d, and takes %d", wayNames[way], was[way], is[way]))
		}
	}
	return list
}

func readRecord(t *testing.T) record {
	t.Helper()
	text, err := os.ReadFile(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	r := record{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var name string
		var n [ways]int
		if _, err := fmt.Sscan(line, &name, &n[0], &n[1], &n[2], &n[3]); err != nil {
			t.Fatalf("%s: %q: %v", recordFile, line, err)
		}
		r[name] = n
	}
	return r
}

func TestAMutantMayTakeTwiceWhatItTookAndNoMore(t *testing.T) {
	was := [ways]int{30, 40, 50, 600}
	if got := harder(was, [ways]int{60, 80, 100, 1200}); len(got) > 0 {
		t.Errorf("twice as much is too much: %q", got)
	}
	for way := range ways {
		is := was
		is[way] = 2*was[way] + 1
		if got := harder(was, is); len(got) != 1 || !strings.HasPrefix(got[0], wayNames[way]) {
			t.Errorf("%s: %d after %d: %q", wayNames[way], is[way], was[way], got)
		}
	}
}
