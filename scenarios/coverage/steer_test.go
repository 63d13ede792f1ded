package coverage_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

var update = flag.Bool("update", false, "rewrite the table of steering in reports/docs/coverage.md")

const (
	hunts   = 30 // of each mutant, from seeds far apart
	spacing = 10_000
	most    = 2000 // worlds of a hunt
)

// The table of the manual: in which world each mutant is found, by seeds that are
// drawn one after the other and by a steered campaign.
func TestSteeringIsHeldAgainstPlainSeeds(t *testing.T) {
	table := []byte("| mutant | plain seeds | steered |\n|---|--:|--:|\n")
	sooner, later := 0, 0
	for _, name := range scenarios.Catalogue() {
		if !strings.HasPrefix(name, "mutants/") {
			continue
		}
		plain, steered := hunted(t, name)
		table = fmt.Appendf(table, "| %s | %s | %s |\n", strings.TrimPrefix(name, "mutants/"), quartiles(plain), quartiles(steered))
		sooner += max(0, sum(plain)-sum(steered))
		later += max(0, sum(steered)-sum(plain))
	}
	if sooner <= later {
		t.Errorf("steering saves %d worlds where it helps, and costs %d where it does not", sooner, later)
	}
	table = fmt.Appendf(table, "\nOver all hunts it saves %d worlds of the mutants that it finds sooner, and costs %d of the others.\n", sooner, later)
	checkTable(t, "steering", string(table))
}

// hunted returns in which world each hunt broke what the mutant must break, in order.
func hunted(t *testing.T, name string) (plain, steered []int) {
	t.Helper()
	story, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	c, runner := campaign(t, story), scenarios.NewRunner()
	for h := range uint64(hunts) {
		first := h*spacing + 1
		seed, s := first, coverage.Steer(c, runner, first)
		plain = append(plain, until(t, story.MayBreak[0], func() (*scenarios.World, error) {
			seed++
			return runner.World(c, seed-1, false)
		}))
		steered = append(steered, until(t, story.MayBreak[0], s.Next))
	}
	slices.Sort(plain)
	slices.Sort(steered)
	return plain, steered
}

// until returns in which world the property broke.
func until(t *testing.T, property string, next func() (*scenarios.World, error)) int {
	t.Helper()
	for n := range most {
		w, err := next()
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(w.Outcome.Verdicts, func(v model.Verdict) bool { return v.Property == property && v.Value == model.Broken }) {
			return n + 1
		}
	}
	t.Fatalf("%s did not break in %d worlds", property, most)
	return 0
}

// quartiles writes the median of a sorted list, and in brackets the quartiles.
func quartiles(list []int) string {
	return fmt.Sprintf("%d (%d..%d)", list[len(list)/2], list[len(list)/4], list[len(list)*3/4])
}

func sum(list []int) (n int) {
	for _, i := range list {
		n += i
	}
	return n
}

// checkTable compares the table with the one that the manual shows, or rewrites that.
func checkTable(t *testing.T, place, table string) {
	t.Helper()
	file, begin, end := "../../reports/docs/coverage.md", "<!-- "+place+" -->\n", "<!-- /"+place+" -->\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	shown, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the table %s", file, place)
	case *update:
		if err := os.WriteFile(file, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case shown != table:
		t.Errorf("%s shows\n%s\nmeasured is\n%s\nrun with -update to rewrite it", file, shown, table)
	}
}

// A steered world is a world as any other: told as a story it leaves the same history.
// The same campaign steers twice in the same way.
func TestASteeredWorldIsToldAsAStory(t *testing.T) {
	for _, c := range campaigns(t) {
		one, two := coverage.Steer(c, scenarios.NewRunner(), 1), coverage.Steer(c, scenarios.NewRunner(), 1)
		for n := range 60 {
			w, err := one.Next()
			if err != nil {
				t.Fatal(err)
			}
			again, err := two.Next()
			if err != nil {
				t.Fatal(err)
			}
			told, err := c.Tell(w).Run(scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			digest := w.Outcome.History.Digest
			if again.Outcome.History.Digest != digest || told.History.Digest != digest {
				t.Errorf("%s, world %d leaves %v, again %v, told %v", c.Story.Name, n+1, digest, again.Outcome.History.Digest, told.History.Digest)
			}
		}
		if n := one.Map().Runs(); n != 60 {
			t.Errorf("%s: of 60 worlds %d are in the map", c.Story.Name, n)
		}
	}
}
