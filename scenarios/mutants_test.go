package scenarios_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// mutant is a queue or a consumer with one thing wrong: the story of its name
// below mutants/, whose first `may-break` is the property that must find it out.
type mutant struct {
	name  string
	wrong string   // what its story says that is wrong
	right string   // what the sound twin says instead; "" leaves it out
	loud  bool     // it breaks its property without any chaos, too
	still []string // what the twin breaks in these worlds all the same
}

// variant is a mutant whose sound twin is the queue as built.
func variant(name string) mutant { return mutant{name: name, wrong: "variant=" + name} }

func (m mutant) loudly() mutant { m.loud = true; return m }

// The first delivery of an incarnation is given the token 1, as built, so that an
// id that is enqueued again after its completion repeats it.
func (m mutant) repeatsTokens() mutant { m.still = []string{"tokens-rise"}; return m }

var mutants = []mutant{
	variant("reap-forgets"),
	variant("two-clock-reads"),
	{name: "marker-first", wrong: "consumer=marker-first", right: "consumer=atomic"},
	{name: "early-ack", wrong: "ack=early", right: "ack=late"},
	{name: "naive", wrong: "consumer=naive", right: "consumer=atomic"},
	{name: "marker-last", wrong: "consumer=marker-last", right: "consumer=atomic"},
	{name: "marker-too-short", wrong: "consumer=ttl-marker:1m", right: "consumer=ttl-marker:24h"},
	{name: "fenced", wrong: "consumer=fenced", right: "consumer=atomic"},
	{name: "call-without-key", wrong: "consumer=external", right: "consumer=external-key"},
	mutant{name: "push-without-id", wrong: "fresh-id"}.repeatsTokens(),
	{name: "row-minted-anew", wrong: "consumer=scorer", right: "consumer=scorer-fixed"},
	mutant{name: "work-outlasts-lease", wrong: "heartbeat=off", right: "heartbeat=10s"}.loudly(),
	variant("no-fence"),
	variant("no-extend-fence"),
	variant("stale-ack-frees"),
	variant("stale-nak-requeues"),
	variant("double-settle"),
	{name: "retry-sent-again", wrong: "settle-retries=1", right: "settle-retries=0"},
	variant("retry-misses-pending"),
	{name: "late-heartbeat", wrong: "heartbeat=10s", right: "heartbeat=off"},
	variant("settle-keeps-active").loudly(),
	variant("token-reset"),
	variant("early-expiry"),
	variant("prefetch-expires"),
	variant("resurrect"),
	variant("rescue-overwrites"),
	variant("phantom-duplicate").repeatsTokens(),
	variant("double-admission"),
	variant("retry-never-dead"),
	variant("dead-early"),
	{name: "attempts-reset", wrong: "variant=attempts-reset", right: "variant=hardened"},
	{name: "bounded-leaks", wrong: "variant=bounded-leaks", right: "variant=bounded"},
	variant("lifo"),
	variant("shortening-extend"),
	variant("claim-ignores-pending"),
	{name: "nobody-reaps", wrong: "reap-every=off", right: "reap-every=1s"},
	variant("pop-then-mark"),
	{name: "nobody-promotes", wrong: "promote-every=off", right: "promote-every=1s"},
	variant("ignores-ack").loudly(),
}

const (
	enoughSeeds = 1000 // within so many every mutant is caught
	hunts       = 15   // how often each is hunted, from seeds far apart
	huntSpacing = 10_000
)

// A property that nothing can break says nothing, and a variant that nobody hunts
// may not be broken at all.
func TestEveryPropertyAndEveryVariantHasAMutant(t *testing.T) {
	var told, hunted, targets []string
	for _, name := range scenarios.Catalogue() {
		if name, ok := strings.CutPrefix(name, "mutants/"); ok {
			told = append(told, name)
		}
	}
	used := map[string]bool{"variant=hardened": true} // it mends the queue as built: see stories/echomq
	for _, m := range mutants {
		hunted = append(hunted, m.name)
		targets = append(targets, m.target(t))
		used[m.wrong], used[m.right] = true, true
	}
	slices.Sort(hunted)
	if !slices.Equal(told, hunted) {
		t.Errorf("the catalogue tells of %q, hunted are %q", told, hunted)
	}
	for _, p := range model.Properties() {
		if !slices.Contains(targets, p.Name) {
			t.Errorf("%s: no mutant has it as the first property that may break", p.Name)
		}
	}
	body, _ := model.FindBody("echomq", "go")
	for _, v := range body.Variants {
		if !used["variant="+v.Name] {
			t.Errorf("the variant %s is neither a mutant nor the sound twin of one", v.Name)
		}
	}
}

// Chaos is what shows a mutant: in a world in which nothing goes wrong it holds its
// property, but for those that break it whatever happens.
func TestAMutantIsQuietWhereNothingGoesWrong(t *testing.T) {
	for _, m := range mutants {
		calm := campaign(t, load(t, "mutants/"+m.name)).Story
		out, err := calm.Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(brokenOf(out), m.target(t)); got != m.loud {
			t.Errorf("%s: without chaos %s is broken: %v, want %v", m.name, m.target(t), got, m.loud)
		}
	}
}

// Every mutant is caught within 1,000 seeds, from wherever the hunt begins; how
// many it takes stands in README.md. What else breaks on the way is named by its
// story.
func TestEveryMutantIsCaught(t *testing.T) {
	took := make([][]int, len(mutants))
	t.Run("hunt", func(t *testing.T) {
		for i, m := range mutants {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				for hunt := range uint64(hunts) {
					took[i] = append(took[i], m.hunt(t, hunt*huntSpacing+1))
				}
				slices.Sort(took[i])
			})
		}
	})
	if !t.Failed() {
		checkTable(t, "../README.md", "mutants", tableOf(t, took))
	}
}

// hunt returns in which world, from the seed first on, the mutant is caught.
func (m mutant) hunt(t *testing.T, first uint64) int {
	target, runner := m.target(t), scenarios.NewRunner()
	c := campaign(t, load(t, "mutants/"+m.name))
	for n := range uint64(enoughSeeds) {
		w := world(t, runner, c, first+n, false)
		if len(w.Unexpected) > 0 || len(w.Open) > 0 {
			t.Errorf("seed %d: broken and not named as what may break %v, unknown %v", first+n, w.Unexpected, w.Open)
		}
		if slices.Contains(brokenOf(w.Outcome), target) {
			return int(n) + 1
		}
	}
	t.Errorf("from seed %d on %d worlds, and %s holds in all", first, enoughSeeds, target)
	return 0
}

// The sound twin differs in the one thing that is wrong with the mutant, and breaks
// nothing in as many worlds.
func TestTheSoundTwinOfAMutantBreaksNothing(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			runner, c := scenarios.NewRunner(), campaign(t, m.twin(t))
			for seed := range uint64(enoughSeeds) {
				broken := brokenOf(world(t, runner, c, seed+1, false).Outcome)
				broken = slices.DeleteFunc(broken, func(p string) bool { return slices.Contains(m.still, p) })
				if len(broken) > 0 {
					t.Fatalf("seed %d breaks %v", seed+1, broken)
				}
			}
		})
	}
}

// twin returns the mutant's story with what is wrong put right.
func (m mutant) twin(t *testing.T) *scenarios.Story {
	t.Helper()
	text, err := scenarios.Text("mutants/" + m.name)
	if err != nil {
		t.Fatal(err)
	}
	_, directives, _ := strings.Cut(string(text), "\nstory ")
	if n := strings.Count(directives, " "+m.wrong); n != 1 {
		t.Fatalf("its story says %s %d times; want once", m.wrong, n)
	}
	return mustParse(t, m.name, "story "+strings.Replace(directives, m.wrong, m.right, 1))
}

// target is the property that finds the mutant out.
func (m mutant) target(t testing.TB) string {
	t.Helper()
	story := load(t, "mutants/"+m.name)
	if len(story.MayBreak) == 0 {
		t.Fatalf("%s: its story does not say what chaos may break", m.name)
	}
	return story.MayBreak[0]
}

// brokenOf lists the properties that are broken and are the queue's to hold.
func brokenOf(out *scenarios.Outcome) (names []string) {
	for _, v := range out.Verdicts {
		if v.Value == model.Broken && out.IsDefault(v.Property) {
			names = append(names, v.Property)
		}
	}
	return names
}

// tableOf writes the table of README.md: what was hunted, by property, how many worlds
// that took, and how many faults it comes down to.
func tableOf(t *testing.T, took [][]int) []byte {
	var b bytes.Buffer
	b.WriteString("| property | mutant | what is wrong | its sound twin | median | most | smallest |\n|---|---|---|---|--:|--:|--:|\n")
	for _, p := range model.Properties() {
		for i, m := range mutants {
			if m.target(t) != p.Name {
				continue
			}
			right := "as built"
			switch {
			case m.right != "":
				right = "`" + m.right + "`"
			case !strings.HasPrefix(m.wrong, "variant="):
				right = "without"
			}
			fmt.Fprintf(&b, "| `%s` | [%s](scenarios/stories/mutants/%s.story) | `%s` | %s | %d | %d | %d |\n",
				p.Name, m.name, m.name, m.wrong, right, took[i][hunts/2], took[i][hunts-1], m.smallest(t))
		}
	}
	return b.Bytes()
}

// smallest is how many faults are in the smallest story of the mutant: what is left of
// its first failing world when nothing more can go.
func (m mutant) smallest(t *testing.T) int {
	text, err := os.ReadFile("testdata/shrunk/" + m.name + ".story")
	if err != nil {
		t.Fatal(err)
	}
	return len(mustParse(t, m.name, string(text)).Plan)
}

// checkTable compares the table with the one that a page shows in that place, or
// rewrites that.
func checkTable(t *testing.T, file, place string, table []byte) {
	t.Helper()
	begin, end := "<!-- "+place+" -->\n", "<!-- /"+place+" -->"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(page, []byte(begin))
	shown, after, closed := bytes.Cut(rest, []byte(end))
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the table, between %q and %q", file, begin, end)
	case bytes.Equal(shown, table):
	case !*update:
		t.Errorf("%s shows\n%s\nmeasured is\n%s\nrun with -update to rewrite it", file, shown, table)
	default:
		text := slices.Concat(before, []byte(begin), table, []byte(end), after)
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
