package scenarios_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The first failing world of every mutant shrinks to exactly the story that is
// pinned in testdata/shrunk. A story moves only in a commit that says why.
func TestTheShrunkStoryOfEachMutantIsPinned(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			file := "testdata/shrunk/" + m.name + ".story"
			small := shrunk(t, m.failing(t, 1)[0], m.target(t))
			if *update {
				if err := os.WriteFile(file, small.Story.Text(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(small.Story.Text())); diff != "" {
				t.Errorf("(-pinned +shrunk)\n%s", diff)
			}
		})
	}
}

// A world that lost acknowledgements, and nothing else, comes down to one.
func TestALostAcknowledgementIsOneFaultAndOneJob(t *testing.T) {
	c := campaign(t, mustParse(t, "acks", "workers 4\njobs 6 every=300ms\nchaos drop complete rate=20%\nchaos drop-reply complete rate=20%\nquiet time=3m\n"))
	const want = "queue echomq\nworker w1\njob J1\n\nfault drop complete J1#1\n"
	for _, told := range failing(t, c, "no-duplicate-effect", 100) {
		small := shrunk(t, told, "no-duplicate-effect")
		if _, text, _ := strings.Cut(string(small.Story.Text()), "\n"); text != want {
			t.Errorf("%s\n%s", told.Name, small.Story.Text())
		}
	}
}

// Naive consumers fail by crashes and pauses too. Those worlds are as small.
func TestANaiveConsumerNeedsOneFaultAndOneJob(t *testing.T) {
	for _, told := range failing(t, campaign(t, naiveReference(t)), "no-duplicate-effect", 60) {
		small := shrunk(t, told, "")
		if got := small.After; got.Faults != 1 || got.Jobs != 1 || got.Workers > 2 || small.Property != "no-duplicate-effect" {
			t.Errorf("%s: %+v\n%s", told.Name, got, small.Story.Text())
		}
	}
}

// The same story shrinks to the same one, whoever shrinks beside it, and what is
// shrunk shrinks to itself.
func TestShrinkingIsAFunctionOfTheStory(t *testing.T) {
	for _, told := range failing(t, campaign(t, load(t, "mutants/no-fence")), "stale-token-rejected", 3) {
		var texts [4]string
		var all sync.WaitGroup
		for i := range texts {
			all.Go(func() {
				small := shrunk(t, told, "stale-token-rejected")
				texts[i] = fmt.Sprint(small.Runs, "\n", string(small.Story.Text()))
			})
		}
		all.Wait()
		if texts[0] != texts[1] || texts[0] != texts[2] || texts[0] != texts[3] {
			t.Errorf("%q", texts)
		}
		small := shrunk(t, told, "stale-token-rejected")
		again := shrunk(t, small.Story, "stale-token-rejected")
		if diff := cmp.Diff(string(small.Story.Text()), string(again.Story.Text())); diff != "" {
			t.Errorf("(-shrunk +shrunk again)\n%s", diff)
		}
	}
}

// Jobs are numbered anew, and what the one that matters was called is kept.
func TestAShrunkStoryKnowsWhatItsJobWasCalled(t *testing.T) {
	small := shrunk(t, mustParse(t, "third", "workers 2\njobs 5\nfault drop complete J3#1\n"), "")
	if got := small.Story.Cast().Names.Job(small.Job); got != "J1" || small.Was != "J3" {
		t.Errorf("%s was %s", got, small.Was)
	}
}

// What broke besides and may is told with the small story, which is judged by it. Of two
// properties that of which nothing was said is the one to shrink to.
func TestWhatMayBreakIsToldWithTheSmallStory(t *testing.T) {
	const world = "queue echomq variant=retry-misses-pending\nworkers 2 consumer=atomic\njob J1\n" +
		"fault pause w1 after=claim J1#1 for=1m30s\nfault pause w2 before=apply J1#2 for=45s\nfault error apply J1#2\nfault delay-reply claim J1#4 by=5s\n"
	const line = "expect chaos may-break stale-token-rejected no-ghost tokens-rise terminal-absorbing no-loss\n"
	small := shrunk(t, mustParse(t, "two", world+line), "")
	if small.Property != "one-place" {
		t.Errorf("shrunk to what breaks %s", small.Property)
	}
	for property, broken := range map[string]string{"stale-token-rejected": "stale-token-rejected one-place", "one-place": "one-place"} {
		for _, expects := range []string{line, strings.Replace(line, "chaos may-break", "broken", 1)} {
			small := shrunk(t, mustParse(t, "two", world+expects), property)
			if err := small.Spare(); err != nil {
				t.Fatal(err)
			}
			if text := string(small.Story.Text()); !strings.HasSuffix(text, "\n\nexpect chaos may-break no-ghost tokens-rise terminal-absorbing\n") {
				t.Errorf("%s\n%s", property, text)
			}
			if got := strings.Join(small.Outcome.Unnamed, " "); got != broken {
				t.Errorf("%s: %s broke and may not, want %s", property, got, broken)
			}
		}
	}
}

// Where nothing is broken there is nothing to shrink, and the property must exist.
func TestThereMustBeSomethingToShrink(t *testing.T) {
	held := load(t, "lost-ack-atomic")
	for property, want := range map[string]string{
		"":                    "lost-ack-atomic.story: nothing is broken, so there is nothing to shrink",
		"no-duplicate-effect": "lost-ack-atomic.story: no-duplicate-effect is held here: nothing is broken, so there is nothing to shrink",
		"no-los":              `lost-ack-atomic.story: unknown property "no-los"; did you mean "no-loss"?`,
	} {
		_, err := held.Shrink(property)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", property, err)
		}
		if property != "no-los" && !errors.Is(err, scenarios.ErrNothingBroke) {
			t.Errorf("%q: the error does not say that nothing broke", property)
		}
	}
}

// A search that is cut is told to be, and what it has reached fails. How many runs
// it may take decides how small that is.
func TestASearchThatIsCutSaysSo(t *testing.T) {
	told := failing(t, campaign(t, load(t, "mutants/no-fence")), "stale-token-rejected", 1)[0]
	whole := shrunk(t, told, "stale-token-rejected")
	for limit := 1; limit <= whole.Runs; limit += 7 {
		small, err := scenarios.ShrinkWithin(told, "stale-token-rejected", limit)
		if err != nil {
			t.Fatal(err)
		}
		if _, broken := brokenJob(small.Outcome, small.Property); !broken || small.Runs > limit || small.Minimal && limit < whole.Runs {
			t.Errorf("limit %d: %d runs, broken %v, minimal %v", limit, small.Runs, broken, small.Minimal)
		}
	}
	if small, err := scenarios.ShrinkWithin(told, "stale-token-rejected", whole.Runs); err != nil || !small.Minimal {
		t.Errorf("the same number of runs suffices: %v", err)
	}
}

// Many faults cost no more runs than there are, and go when the option goes that
// needs them.
func TestManyFaultsGoWithTheOptionThatNeedsThem(t *testing.T) {
	var b strings.Builder
	b.WriteString("queue echomq variant=retry-never-dead max-attempts=60 retry-delay=1ms promote-every=10ms\nworker w1 work=1ms\njob J1\n")
	for n := range 60 {
		fmt.Fprintf(&b, "fault error apply J1#%d\n", n+1)
	}
	small := shrunk(t, mustParse(t, "many", b.String()), "attempts-bounded")
	if small.After.Faults != 3 || !small.Minimal || small.Runs > 1000 {
		t.Errorf("%d runs, %+v, minimal %v\n%s", small.Runs, small.After, small.Minimal, small.Story.Text())
	}
}

func shrunk(t testing.TB, s *scenarios.Story, property string) *scenarios.Shrunk {
	t.Helper()
	small, err := s.Shrink(property)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return small
}

// failing tells the first n worlds of the mutant that break its property.
func (m mutant) failing(t testing.TB, n int) []*scenarios.Story {
	t.Helper()
	return failing(t, campaign(t, load(t, "mutants/"+m.name)), m.target(t), n)
}

func failing(t testing.TB, c *scenarios.Campaign, property string, n int) (told []*scenarios.Story) {
	t.Helper()
	runner := scenarios.NewRunner()
	for seed := uint64(1); len(told) < n; seed++ {
		if seed > enoughSeeds*uint64(n) {
			t.Fatalf("in %d worlds %s breaks %d times", seed-1, property, len(told))
		}
		if w := world(t, runner, c, seed, false); slices.Contains(brokenOf(w.Outcome), property) {
			told = append(told, c.Tell(w))
		}
	}
	return told
}

// brokenJob returns whose promise it is that is broken.
func brokenJob(out *scenarios.Outcome, property string) (job string, broken bool) {
	for _, v := range out.Verdicts {
		if v.Property == property && v.Value == model.Broken {
			return out.History.Names.Job(v.Witness.Job), true
		}
	}
	return "", false
}
