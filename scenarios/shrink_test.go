package scenarios_test

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/faults"
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

// No set of faults of the world as it was that is smaller than what is left breaks
// the property there: all of them are tried. Nor does any part of what is left.
func TestNoSmallerSetOfFaultsFails(t *testing.T) {
	const most = 10 // faults, of which 1024 sets are tried
	tried := 0
	for _, m := range mutants {
		for _, told := range m.failing(t, 3) {
			if len(told.Plan) > most {
				continue
			}
			tried++
			small := shrunk(t, told, m.target(t))
			if least := leastFaults(t, told, small.Property); least < small.After.Faults {
				t.Errorf("%s: %d faults suffice, and %d are left:\n%s", told.Name, least, small.After.Faults, small.Story.Text())
			}
			if least := leastFaults(t, small.Story, small.Property); least != small.After.Faults {
				t.Errorf("%s: of the faults that are left %d suffice:\n%s", told.Name, least, small.Story.Text())
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d worlds are small enough to try all sets of their faults", tried)
	}
}

// Some hundred failing worlds of all mutants end where no line of a fault, a job
// or a worker can be struck out any more; this is asked of the text.
func TestOfWhatIsLeftNothingCanGo(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			for _, told := range m.failing(t, 6) {
				small := shrunk(t, told, m.target(t))
				if !small.Minimal || small.After.Faults > small.Before.Faults {
					t.Errorf("%s: minimal %v, %+v from %+v", told.Name, small.Minimal, small.After, small.Before)
				}
				checkMinimal(t, small)
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

// What is left, line by line: what each kind of step makes of a story.
func TestWhatIsLeftOfAStory(t *testing.T) {
	const world = "queue echomq\nworker w1\njob J1\n\n"
	for _, c := range []struct{ says, story, property, want string }{
		{"a crash is a late ACK", "worker bob\njob A\nfault crash bob after=apply A#1 restart=7s\n", "",
			world + "fault delay complete J1#1 by=45s\n"},
		{"a partition is one lost message", "workers 2\njob J1\nfault partition w1 queue time=20ms for=50s\n", "",
			world + "fault drop complete J1#1\n"},
		{"chance is told as a fault", "workers 2\njobs 9\nnetwork loss=9% jitter=3ms\nseed 6\n", "no-duplicate-effect",
			world + "fault drop complete J1#1\n"},
		{"a duplicate needs no round time of its own", "worker w1 work=1s\njob J1 at=1234567us\nfault delay complete J1#1 by=77s\nfault delay enqueue J1 by=3s\n", "",
			world + "fault delay complete J1#1 by=45s\n"},
		{"a server that forgot a second forgets one write", "workers 2\njob J1\nfault crash queue time=30ms lose=10ms restart=3s\n", "no-duplicate-effect",
			world + "fault crash queue time=10ms lose=1w restart=1ms\n"},
		{"do lines go as faults do", "do enqueue A time=1s\ndo enqueue B time=2s\ndo claim by=bob time=3s\ndo claim by=ann time=4s\ndo claim by=ann time=40s\ndo reap time=39s\n" +
			"do complete A#1 by=bob time=5s\ndo complete B#2 by=ann time=41s\ndo remove B time=50s\ndo enqueue B time=51s\ndo claim by=bob time=52s\n", "tokens-rise",
			"queue echomq\n\ndo enqueue J1 time=0s\ndo claim by=ann time=0s\ndo remove J1 time=0s\ndo enqueue J1 time=0s\ndo claim by=bob time=0s\n"},
		{"what the workers are stays", "workers 3 consumer=fenced ack=late heartbeat=1h poll=20ms\nproducer q retries=0\njobs 4 payload=x by=q\nfault drop complete J3#1\nfault? pause w3 time=9m for=1s\n", "",
			"queue echomq\nworker w1 consumer=fenced\njob J1\n\nfault drop complete J1#1\n"},
	} {
		small := shrunk(t, mustParse(t, "it", c.story), c.property)
		if _, text, _ := strings.Cut(string(small.Story.Text()), "\n"); text != c.want {
			t.Errorf("%s: (-want +got)\n%s", c.says, cmp.Diff(c.want, text))
		}
	}
}

// A world that fails by itself when an option is put back is another failure: here
// a heartbeat stalls, and work that outlives its lease without any heartbeat is no
// smaller story of that.
func TestAFailureThatNeedsAFaultGoesOnNeedingOne(t *testing.T) {
	small := shrunk(t, mustParse(t, "stalls", "workers 2 work=45s heartbeat=10s\njob J1\nfault stall heartbeat w1 time=1s for=43s\n"), "")
	if text := string(small.Story.Text()); small.After.Faults != 1 || !strings.Contains(text, "heartbeat=10s") {
		t.Errorf("%s", text)
	}
	if small := shrunk(t, mustParse(t, "lives", "worker w1 work=45s\nworker w2 work=45s\njob J1\nfault drop claim J1#1\n"), ""); small.After.Faults != 0 {
		t.Errorf("it fails without a fault, and is left with one:\n%s", small.Story.Text())
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

// BenchmarkShrink shrinks the first failing worlds of every mutant; it reports the
// median time and the median and the largest number of runs, and how large the
// worlds were and became.
func BenchmarkShrink(b *testing.B) {
	var told []*scenarios.Story
	var targets []string
	for _, m := range mutants {
		for _, s := range m.failing(b, 5) {
			told, targets = append(told, s), append(targets, m.target(b))
		}
	}
	var took []time.Duration
	var runs []int
	var before, after scenarios.Size
	for b.Loop() {
		for i := range told {
			start := time.Now()
			small := shrunk(b, told[i], targets[i])
			took, runs = append(took, time.Since(start)), append(runs, small.Runs)
			before.Events, before.Faults = before.Events+small.Before.Events, before.Faults+small.Before.Faults
			after.Events, after.Faults = after.Events+small.After.Events, after.Faults+small.After.Faults
		}
	}
	slices.Sort(took)
	slices.Sort(runs)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "median-ms")
	b.ReportMetric(float64(runs[len(runs)/2]), "median-runs")
	b.ReportMetric(float64(runs[len(runs)-1]), "most-runs")
	n := float64(len(took))
	b.ReportMetric(float64(before.Events)/n, "events-before")
	b.ReportMetric(float64(after.Events)/n, "events-after")
	b.ReportMetric(float64(before.Faults)/n, "faults-before")
	b.ReportMetric(float64(after.Faults)/n, "faults-after")
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

// leastFaults returns how many faults of the story, and not fewer, break the
// property.
func leastFaults(t *testing.T, s *scenarios.Story, property string) int {
	t.Helper()
	runner, least := scenarios.NewRunner(), len(s.Plan)
	for set := range 1 << len(s.Plan) {
		if bits.OnesCount(uint(set)) >= least {
			continue
		}
		part := *s
		var b faults.Builder
		for i, e := range s.Plan {
			if set>>i&1 == 1 {
				b.Add(e)
			}
		}
		part.Plan = b.Plan()
		out, err := runner.Run(&part, scenarios.Options{Forget: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, broken := brokenJob(out, property); broken {
			least = bits.OnesCount(uint(set))
		}
	}
	return least
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

// checkMinimal strikes out of the story's text each fault and `do` line, and each
// worker and other job with all lines that name it. The rest must not fail.
func checkMinimal(t *testing.T, small *scenarios.Shrunk) {
	t.Helper()
	victim, broken := brokenJob(small.Outcome, small.Property)
	if !broken {
		t.Errorf("%s does not break %s", small.Story.Name, small.Property)
	}
	lines := oneEach(string(small.Story.Text()))
	for i, line := range lines {
		words := strings.Fields(line)
		gone := func(l string) bool { return l == lines[i] }
		switch {
		case len(words) == 0 || words[0] == "job" && words[1] == victim:
			continue
		case words[0] == "job" || words[0] == "worker":
			gone = func(l string) bool { return names(l, words[1]) }
		case words[0] != "fault" && words[0] != "do":
			continue
		}
		text := strings.Join(slices.DeleteFunc(slices.Clone(lines), gone), "\n")
		s, err := scenarios.Parse("rest", []byte(text))
		if err != nil {
			continue // a job that is spoken of and never enqueued
		}
		out, err := s.Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if job, broken := brokenJob(out, small.Property); broken && job == victim {
			t.Errorf("%s fails without %q:\n%s", small.Story.Name, line, small.Story.Text())
		}
	}
}

// oneEach writes a line for each of `workers N` and `jobs N`.
func oneEach(text string) (lines []string) {
	for line := range strings.Lines(text) {
		var n int
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		if word != "workers" && word != "jobs" {
			lines = append(lines, line)
			continue
		}
		count, options, _ := strings.Cut(rest, " ")
		if _, err := fmt.Sscan(count, &n); err != nil {
			panic(err)
		}
		every := 50 * time.Millisecond
		if e, after, ok := strings.Cut(options, "every="); ok && e == "" {
			span, others, _ := strings.Cut(after, " ")
			every, _ = time.ParseDuration(span)
			options = others
		}
		for i := range n {
			if word == "workers" {
				lines = append(lines, fmt.Sprintf("worker w%d %s", i+1, options))
			} else {
				lines = append(lines, fmt.Sprintf("job J%d at=%s %s", i+1, time.Duration(i)*every, options))
			}
		}
	}
	return lines
}

// names reports whether a line names a process or a job.
func names(line, name string) bool {
	return slices.ContainsFunc(strings.Fields(line), func(w string) bool {
		return w == name || w == "by="+name || strings.HasPrefix(w, name+"#")
	})
}
