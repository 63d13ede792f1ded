package coverage_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// A steered world is a world as any other: told as a story it leaves the same history.
// The same campaign steers twice in the same way.
func TestASteeredWorldIsToldAsAStory(t *testing.T) {
	for _, c := range campaigns(t) {
		one, two := coverage.Steer(c, scenarios.NewRunner(), 1), coverage.Steer(c, scenarios.NewRunner(), 1)
		one.Seek(&coverage.Map{})
		two.Seek(&coverage.Map{})
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

// In chunks a hunt starts afresh: whoever begins with a later chunk meets the same worlds,
// which are not those of a hunt that learns on.
func TestAHuntInChunksStartsAfresh(t *testing.T) {
	c, first := campaign(t, load(t, "mutants/dead-early")), ^uint64(0)-coverage.Chunk-5 // so that seeds begin again at 0
	whole, learnt := coverage.SteerInChunks(c, scenarios.NewRunner(), first), coverage.Steer(c, scenarios.NewRunner(), first)
	later := coverage.SteerInChunks(c, scenarios.NewRunner(), first+coverage.Chunk)
	others := 0
	for n := range uint64(coverage.Chunk + 20) {
		got, want := digest(t, whole, first+n), digest(t, func(uint64) (*scenarios.World, error) { return learnt.Next() }, first+n)
		if n >= coverage.Chunk {
			others += len(slices.Compact([]model.Digest{got, want})) - 1
			want = digest(t, later, first+n)
		}
		if got != want {
			t.Errorf("world %d leaves %v, and by itself %v", n+1, got, want)
		}
	}
	if others == 0 {
		t.Error("a hunt that learns on meets the same worlds: nothing is shown")
	}
}

func digest(t *testing.T, next func(uint64) (*scenarios.World, error), seed uint64) model.Digest {
	t.Helper()
	w, err := next(seed)
	if err != nil {
		t.Fatal(err)
	}
	return w.Outcome.History.Digest
}

// What a campaign has left empty steers its next seeds: of the cells that 100 worlds of
// each story leave, steering reaches about half, and seeking more than half of the rest.
// The manual shows the table.
func TestEmptyCellsSteerTheNextSeeds(t *testing.T) {
	const hunts, runs = 12, 100
	table := []byte("| 100 worlds of each story, 12 times from seeds far apart | cells left empty, of 12 times 156 |\n|---|--:|\n")
	var left [3]int
	for way, name := range []string{"plain seeds", "steered, empty cells or not", "steered by empty cells, too (`--steer`)"} {
		for n := range uint64(hunts) {
			left[way] += len(mapped(t, way, n*spacing+1, runs).Empty())
		}
		table = fmt.Appendf(table, "| %s | %d |\n", name, left[way])
	}
	if left[1] >= left[0] || 2*left[2] >= left[1] {
		t.Errorf("plain seeds leave %d cells, steered ones %d, those that seek them %d", left[0], left[1], left[2])
	}
	checkTable(t, "../../reports/docs/coverage.md", "sought", string(table))
}

// mapped returns the map of so many worlds of each story, by plain seeds (0), steered (1)
// or seeking (2).
func mapped(t *testing.T, way int, first uint64, runs int) *coverage.Map {
	t.Helper()
	total := &coverage.Map{}
	for _, c := range campaigns(t) {
		if way == 0 {
			total.Add(explore(t, c, first, uint64(runs)))
			continue
		}
		steered := coverage.Steer(c, scenarios.NewRunner(), first)
		if way == 2 {
			steered.Seek(total)
		}
		for range runs {
			if _, err := steered.Next(); err != nil {
				t.Fatal(err)
			}
		}
		total.Add(steered.Map())
	}
	return total
}

// In the first world of a story of few lines each strikes, where it can, and nothing else
// happens. Every fourth world is that of its seed.
func TestTheFirstWorldIsAimedAndTheFourthLeftToItsSeed(t *testing.T) {
	c := campaign(t, load(t, "mutants/naive")) // drop complete, crash, pause
	struck := make([]bool, 3)
	for first := range uint64(20) {
		s, plain := coverage.Steer(c, scenarios.NewRunner(), first), scenarios.NewRunner()
		for n := range uint64(8) {
			w, err := s.Next()
			if err != nil {
				t.Fatal(err)
			}
			for i, times := range w.Struck {
				if n == 0 && times > 1 {
					t.Errorf("from seed %d: a line strikes the first world %d times", first, times)
				}
				struck[i] = struck[i] || n == 0 && times > 0
			}
			own, err := plain.World(c, first+n, false)
			if err != nil {
				t.Fatal(err)
			}
			switch same := own.Outcome.History.Digest == w.Outcome.History.Digest; {
			case n == 0 && same:
				t.Errorf("from seed %d: the first world is that of its seed", first)
			case n%4 == 3 && !same:
				t.Errorf("from seed %d: world %d is not that of its seed", first, n+1)
			}
		}
	}
	if slices.Contains(struck, false) {
		t.Errorf("of the three lines strike first worlds: %v", struck)
	}
}

// What a steered world takes, which is told as a whole and learnt from, beside a plain one.
func BenchmarkWorld(b *testing.B) {
	story, err := scenarios.Load("reference")
	if err != nil {
		b.Fatal(err)
	}
	c, err := scenarios.NewCampaign(story)
	if err != nil {
		b.Fatal(err)
	}
	runner := scenarios.NewRunner()
	for _, way := range []struct {
		name string
		next func(seed uint64) (*scenarios.World, error)
	}{
		{"plain", func(seed uint64) (*scenarios.World, error) { return runner.World(c, seed, false) }},
		{"steered", coverage.SteerInChunks(c, runner, 1)},
	} {
		b.Run(way.name, func(b *testing.B) {
			for seed := uint64(1); b.Loop(); seed++ {
				if _, err := way.next(seed); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
