package coverage_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	engine "github.com/ackgap/ackgap/sim/explore"
)

var update = flag.Bool("update", false, "rewrite the tables in reports/docs/mutants.md and coverage.md, and record mutants that are new")

const (
	hunts   = 200 // of each mutant by each way, from seeds far apart
	spacing = 10_000
	most    = 5000 // worlds of a hunt
)

// The ways to hunt a mutant: what each takes is a number of worlds, but that of the
// exhaustive search a number of states.
const (
	plain = iota
	steered
	priorities
	exhaustive
	ways
)

var wayNames = [ways]string{"plain seeds", "steered", "priorities", "exhaustive search"}

// hunted is what came of a mutant: in which world each hunt found it, in order, and
// what the search and the smallest story say.
type hunted struct {
	name     string
	took     [exhaustive][]int
	signs    [exhaustive]signs // beside plain seeds
	searched string            // faults and states
	states   int
	smallest string // faults and events
}

// Each mutant is found by each way, none is more than twice as hard as was recorded
// once, steering is not worse than plain seeds, and the manual shows what it took.
func TestMutantsAreHuntedInFourWays(t *testing.T) {
	list := huntAll(t)
	checkRecord(t, list)
	table := []byte("| mutant | plain seeds | steered | priorities | search: faults, states | smallest story: faults, events |\n|---|--:|--:|--:|--:|--:|\n")
	for _, h := range list {
		table = fmt.Appendf(table, "| %s | %s | %s | %s | %s | %s |\n", h.name,
			quartiles(h.took[plain]), quartiles(h.took[steered]), quartiles(h.took[priorities]), h.searched, h.smallest)
	}
	for way := steered; way < exhaustive; way++ {
		table = fmt.Appendf(table, "\n%s\n", beside(list, way))
	}
	for _, complaint := range worse(list) {
		t.Error(complaint)
	}
	checkTable(t, "../../reports/docs/mutants.md", "hunts", string(table))
}

func huntAll(t *testing.T) (list []*hunted) {
	t.Run("hunt", func(t *testing.T) {
		for _, name := range scenarios.Catalogue() {
			name, ok := strings.CutPrefix(name, "mutants/")
			if !ok {
				continue
			}
			h := &hunted{name: name}
			list = append(list, h)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				story := load(t, "mutants/"+name)
				h.seeds(t, story)
				h.search(t, story)
				h.measure(t)
			})
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	return list
}

func load(t *testing.T, name string) *scenarios.Story {
	t.Helper()
	story, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return story
}

// seeds hunts by random worlds, drawn as those of `ackgap check`, of `check --steer` and of
// `check --priorities`.
func (h *hunted) seeds(t *testing.T, story *scenarios.Story) {
	c, runner := campaign(t, story), scenarios.NewRunner()
	for n := range uint64(hunts) {
		first := n*spacing + 1
		for way, next := range [exhaustive]func(seed uint64) (*scenarios.World, error){
			func(seed uint64) (*scenarios.World, error) { return runner.World(c, seed, false) },
			coverage.SteerInChunks(c, runner, first),
			func(seed uint64) (*scenarios.World, error) { return runner.PrioritisedWorld(c, seed, false) },
		} {
			h.took[way] = append(h.took[way], until(t, story.MayBreak[0], first, next))
		}
	}
	for way, list := range h.took {
		h.signs[way] = signsOf(h.took[plain], list)
	}
	for _, list := range h.took {
		slices.Sort(list)
	}
}

// until returns in which world from the seed first on the property broke.
func until(t *testing.T, property string, first uint64, next func(seed uint64) (*scenarios.World, error)) int {
	t.Helper()
	for n := range uint64(most) {
		w, err := next(first + n)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(w.Outcome.Verdicts, func(v model.Verdict) bool { return v.Property == property && v.Value == model.Broken }) {
			return int(n) + 1
		}
	}
	t.Fatalf("%s did not break in %d worlds from seed %d on", property, most, first)
	return 0
}

// search hunts by all schedules of a small world with at most three faults: one job
// and two workers, or two jobs where that is too small.
func (h *hunted) search(t *testing.T, story *scenarios.Story) {
	if h.searched = "-"; h.name == "push-without-id" { // the search knows one id for each job
		return
	}
	for jobs := 1; jobs <= 2; jobs++ {
		small, err := exhaust.Resize(story, jobs, 2)
		if err != nil {
			t.Fatal(err)
		}
		property := story.MayBreak[0]
		scope := exhaust.Scope{Claims: 4, Kinds: exhaust.DefaultKinds, Symmetry: property != "drains"} // which tells workers apart
		world, err := exhaust.New(small, scope)
		if errors.Is(err, exhaust.ErrSpans) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err := world.Explore(engine.Options{Faults: 3, Cores: 1}, property)
		if err != nil {
			t.Fatal(err)
		}
		if faults, found := fewest(r); found {
			h.states = r.Result.States
			h.searched = fmt.Sprintf("%d, %d", faults, h.states)
			return
		}
	}
	t.Fatalf("%s holds in every schedule of two jobs and two workers with three faults", story.MayBreak[0])
}

// fewest returns how few faults break what was looked for.
func fewest(r *exhaust.Report) (faults int, found bool) {
	if len(r.Sought) > 0 {
		return r.Sought[0].Faults, true
	}
	if stay := cmp.Or(r.Stuck, r.Round); stay != nil {
		return stay.Faults, true
	}
	return 0, false
}

// measure takes the size of the mutant's smallest story, which shrinking has left.
func (h *hunted) measure(t *testing.T) {
	file := path.Join("../testdata/shrunk", h.name+".story")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	story, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.smallest = fmt.Sprintf("%d, %d", len(story.Plan), len(out.History.Events))
}

// quartiles writes the mean of a sorted list, its median, and in brackets the quartiles.
func quartiles(list []int) string {
	n := len(list)
	return fmt.Sprintf("%.1f, %d (%d..%d)", mean(list), list[n/2], list[n/4], list[n*3/4])
}

func mean(list []int) float64 { return float64(sum(list)) / float64(len(list)) }

func sum(list []int) (n int) {
	for _, i := range list {
		n += i
	}
	return n
}

// checkTable compares the table with the one that the manual shows, or rewrites that.
func checkTable(t *testing.T, file, place, table string) {
	t.Helper()
	begin, end := "<!-- "+place+" -->\n", "<!-- /"+place+" -->\n"
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
