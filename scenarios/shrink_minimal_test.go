package scenarios_test

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// What is claimed of shrinking, on a thousand failing worlds.
const (
	failingWorlds = 1000
	mostTried     = 12 // faults of a world, of which 4096 sets are tried
	medianRuns    = 300
)

// A thousand failing worlds, of naive consumers in the reference envelope and of
// every mutant, end where nothing can go: no fault, do line, job, worker, producer
// and no option. The text of what is left is asked, line by line and word by word,
// and nothing of what shrinks it. Nor does any smaller set of faults break the
// property: of all but a few worlds each set is tried, and each of what is left.
func TestNothingCanGoOfWhatAThousandFailingWorldsLeave(t *testing.T) {
	var lock sync.Mutex
	var runs []int
	tried := 0
	t.Run("worlds", func(t *testing.T) {
		for _, f := range families(t) {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				for _, told := range failing(t, f.campaign, f.property, f.worlds) {
					small := shrunk(t, told, f.property)
					all := checkShrunk(t, told, small)
					lock.Lock()
					if runs = append(runs, small.Runs); all {
						tried++
					}
					lock.Unlock()
				}
			})
		}
	})
	slices.Sort(runs)
	if len(runs) != failingWorlds || runs[len(runs)/2] >= medianRuns || tried < len(runs)*99/100 {
		t.Errorf("%d worlds, of %d of which all sets of faults were tried, in a median of %d runs", len(runs), tried, runs[len(runs)/2])
	}
	t.Logf("%d worlds, a median of %d runs and at most %d; of %d all sets of faults were tried", len(runs), runs[len(runs)/2], runs[len(runs)-1], tried)
}

// BenchmarkShrink shrinks a thousand failing worlds and reports the median time
// and number of runs, the largest number of runs, the medians of how many events
// there were and are left, and how often as many there were.
func BenchmarkShrink(b *testing.B) {
	var told []*scenarios.Story
	var targets []string
	for _, f := range families(b) {
		for _, s := range failing(b, f.campaign, f.property, f.worlds) {
			told, targets = append(told, s), append(targets, f.property)
		}
	}
	var took, runs, before, after, ratio []float64
	for b.Loop() {
		for i := range told {
			start := time.Now()
			small := shrunk(b, told[i], targets[i])
			took, runs = append(took, time.Since(start).Seconds()*1000), append(runs, float64(small.Runs))
			from, to := float64(small.Before.Events), float64(small.After.Events)
			before, after, ratio = append(before, from), append(after, to), append(ratio, from/to)
		}
	}
	b.ReportMetric(median(took), "median-ms")
	b.ReportMetric(median(runs), "median-runs")
	b.ReportMetric(slices.Max(runs), "most-runs")
	b.ReportMetric(median(before), "events-before")
	b.ReportMetric(median(after), "events-after")
	b.ReportMetric(median(ratio), "before/after")
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// family is worlds of one story that break one property.
type family struct {
	name, property string
	campaign       *scenarios.Campaign
	worlds         int
}

// families are naive consumers in the reference envelope and every mutant. A
// thousand worlds are shared out among them.
func families(t testing.TB) []family {
	list := []family{{name: "reference", property: "no-duplicate-effect", campaign: campaign(t, naiveReference(t))}}
	for _, m := range mutants {
		list = append(list, family{name: m.name, property: m.target(t), campaign: campaign(t, load(t, "mutants/"+m.name))})
	}
	for i := range list {
		list[i].worlds = failingWorlds*(i+1)/len(list) - failingWorlds*i/len(list)
	}
	return list
}

// checkShrunk checks what a world was shrunk to, and reports whether the world has
// so few faults that all sets of them were tried.
func checkShrunk(t *testing.T, told *scenarios.Story, small *scenarios.Shrunk) bool {
	if !small.Minimal || small.After.Faults > small.Before.Faults {
		t.Errorf("%s: minimal %v, %+v from %+v", told.Name, small.Minimal, small.After, small.Before)
	}
	checkMinimal(t, small)
	if least := leastFaults(t, small.Story, small.Property); least != small.After.Faults {
		t.Errorf("%s: of the faults that are left %d suffice:\n%s", told.Name, least, small.Story.Text())
	}
	if len(told.Plan) > mostTried {
		return false
	}
	if least := leastFaults(t, told, small.Property); least < small.After.Faults {
		t.Errorf("%s: %d faults suffice, and %d are left:\n%s", told.Name, least, small.After.Faults, small.Story.Text())
	}
	return true
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

// checkMinimal strikes out of the story's text what could go: each fault and `do`
// line, each producer, worker and other job with all lines that name it, and each
// option. The rest must not fail about the same job, or fail without any fault.
func checkMinimal(t *testing.T, small *scenarios.Shrunk) {
	t.Helper()
	lines := oneEach(t, string(small.Story.Text()))
	victim, _, broken := breaks(t, lines, small.Property)
	if !broken {
		t.Errorf("%s does not break %s", small.Story.Name, small.Property)
	}
	_, _, calm := breaks(t, faultless(lines), small.Property)
	for rest, what := range struck(lines, victim) {
		job, end, broken := breaks(t, rest, small.Property)
		if !broken || job != victim || what == "horizon" && end != model.Quiet {
			continue
		}
		if _, _, itself := breaks(t, faultless(rest), small.Property); calm || !itself {
			t.Errorf("%s fails without %q:\n%s", small.Story.Name, what, small.Story.Text())
		}
	}
}

// struck yields the lines without each thing that could go, and what that is.
func struck(lines []string, victim string) iter.Seq2[[]string, string] {
	return func(yield func([]string, string) bool) {
		without := func(what string, gone func(line string) bool) {
			yield(slices.DeleteFunc(slices.Clone(lines), gone), what)
		}
		for i, line := range lines {
			words := strings.Fields(line)
			switch {
			case len(words) == 0 || words[0] == "story":
				continue
			case slices.Contains([]string{"fault", "do", "seed", "horizon", "network"}, words[0]):
				without(words[0], func(l string) bool { return l == line })
			case words[0] != "queue" && words[1] != victim:
				without(line, func(l string) bool { return names(l, words[1]) })
			}
			for at, word := range words {
				option, _, ok := strings.Cut(word, "=")
				if ok && !slices.Contains(stays, option) {
					rest := slices.Clone(lines)
					rest[i] = strings.Join(slices.Delete(slices.Clone(words), at, at+1), " ")
					yield(rest, line+" "+word)
				}
			}
		}
	}
}

// stays are the options that shrinking leaves alone: they say what it is that
// fails, or what a fault or a deed is.
var stays = []string{"variant", "consumer", "ack", "by", "for", "after", "before", "restart", "jump", "skew", "time", "token", "delay", "max"}

// breaks runs a story and reports whether it breaks the property, about which job,
// and how the run ended. What no parser takes breaks nothing: a job is spoken of
// and never enqueued.
func breaks(t *testing.T, lines []string, property string) (job string, end model.Cause, broken bool) {
	t.Helper()
	s, err := scenarios.Parse("rest", []byte(strings.Join(lines, "\n")))
	if err != nil {
		return "", 0, false
	}
	out, err := s.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	job, broken = brokenJob(out, property)
	return job, out.End, broken
}

// faultless returns the lines but those of faults.
func faultless(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.HasPrefix(l, "fault") })
}

// oneEach writes a line for each of `workers N` and `jobs N`.
func oneEach(t *testing.T, text string) (lines []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "workers" && words[0] != "jobs" {
			lines = append(lines, strings.Join(words, " "))
			continue
		}
		n, err := strconv.Atoi(words[1])
		if err != nil {
			t.Fatal(err)
		}
		options := words[2:]
		if words[0] == "workers" {
			for i := range n {
				lines = append(lines, strings.Join(append([]string{"worker", fmt.Sprint("w", i+1)}, options...), " "))
			}
			continue
		}
		every, options := span(t, options, "every", 50*time.Millisecond)
		at, options := span(t, options, "at", 0)
		for i := range n {
			words := append([]string{"job", fmt.Sprint("J", i+1)}, options...)
			if begin := at + time.Duration(i)*every; begin > 0 {
				words = append(words, fmt.Sprint("at=", begin))
			}
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

// span returns the duration that an option says, and the options without it.
func span(t *testing.T, options []string, name string, otherwise time.Duration) (time.Duration, []string) {
	t.Helper()
	i := slices.IndexFunc(options, func(o string) bool { return strings.HasPrefix(o, name+"=") })
	if i < 0 {
		return otherwise, options
	}
	d, err := time.ParseDuration(options[i][len(name)+1:])
	if err != nil {
		t.Fatal(err)
	}
	return d, slices.Delete(slices.Clone(options), i, i+1)
}

// names reports whether a line names a process or a job.
func names(line, name string) bool {
	return slices.ContainsFunc(strings.Fields(line), func(w string) bool {
		return w == name || w == "by="+name || strings.HasPrefix(w, name+"#")
	})
}
