package scenarios_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

const worlds = 2000

// The reference envelope says what is claimed: in its worlds nothing breaks and
// nothing stays open, and there was something to judge and to survive.
func TestTheReferenceHoldsEveryPromise(t *testing.T) {
	c := campaign(t, load(t, "reference"))
	tally := count(t, c, 1, worlds)
	if tally.Runs != worlds || tally.Unexpected != 0 || tally.Open != 0 {
		t.Errorf("of %d worlds %d broke something and %d stayed open: %v %v", tally.Runs, tally.Unexpected, tally.Open, tally.Failures, tally.Opens)
	}
	if vacuous := tally.Vacuous(c); len(vacuous) > 0 {
		t.Errorf("vacuous: %q", vacuous)
	}
	idle := idleProperties(tally)
	if want := []string{"deliveries-bounded", "deadline-monotone"}; !slices.Equal(idle, want) {
		t.Errorf("never judged: %q, want %q: nobody beats, and the queue as built does not bound deliveries", idle, want)
	}
	for i, p := range model.Reach() {
		if tally.Reach[i] == 0 {
			t.Errorf("%s in no world", p.Name)
		}
	}
}

// The same worlds with naive consumers: the gap opens, and nothing else breaks.
// The number is pinned by the seeds; it moves when a draw or the protocol does.
func TestNaiveConsumersDoubleEffectsAndBreakNothingElse(t *testing.T) {
	const worlds, doubled = 10_000, 3_089
	tally := count(t, campaign(t, naiveReference(t)), 1, worlds)
	for i, p := range model.Properties() {
		want := 0
		if p.Name == "no-duplicate-effect" {
			want = doubled
		}
		if got := tally.Properties[i].Broken; got != want {
			t.Errorf("%s breaks in %d of %d worlds, and should in %d", p.Name, got, worlds, want)
		}
	}
	if tally.Unexpected != doubled || tally.Open != 0 {
		t.Errorf("%d worlds are failures and %d open", tally.Unexpected, tally.Open)
	}
}

// However the seeds are split over runners, and in whatever order the parts are
// added, they come to the same tally.
func TestTalliesDoNotDependOnTheSplit(t *testing.T) {
	c := campaign(t, naiveReference(t))
	const seeds = 100
	want := count(t, c, 0, seeds)
	if len(want.Failures) != 20 || want.Unexpected < 25 {
		t.Fatalf("%d of %d failures are remembered; the test needs more than the 20 that are kept", len(want.Failures), want.Unexpected)
	}
	rapid.Check(t, func(rt *rapid.T) {
		cuts := append(rapid.SliceOfN(rapid.Uint64Range(0, seeds), 0, 5).Draw(rt, "cuts"), 0, seeds)
		slices.Sort(cuts)
		var parts []*scenarios.Tally
		for i := range cuts[1:] {
			parts = append(parts, count(t, c, cuts[i], cuts[i+1]-cuts[i]))
		}
		sum := c.NewTally()
		for _, part := range rapid.Permutation(parts).Draw(rt, "order") {
			sum.Add(part)
		}
		if diff := cmp.Diff(want, sum); diff != "" {
			rt.Fatalf("(-whole +parts)\n%s", diff)
		}
	})
}

// A seed is a world whatever was run before it, and seeds go round at the end.
func TestSeedsGoRound(t *testing.T) {
	c := campaign(t, naiveReference(t))
	sum := count(t, c, 1<<64-2, 2)
	sum.Add(count(t, c, 0, 3))
	if diff := cmp.Diff(sum, count(t, c, 1<<64-2, 5)); diff != "" {
		t.Errorf("(-parts +whole)\n%s", diff)
	}
}

// Whoever counts can stop: no further world is begun.
func TestACountStopsWhenItIsTold(t *testing.T) {
	asked := 0
	tally, err := campaign(t, naiveReference(t)).Count(scenarios.NewRunner(), 1, 100, func() bool { asked++; return asked > 7 })
	if err != nil || tally.Runs != 7 {
		t.Errorf("%d worlds, %v", tally.Runs, err)
	}
}

// Each seed is a swarm of its own: it leaves some chaos lines on, and never none.
// Every line that is on strikes in these worlds.
func TestNoWorldHasNothingToDo(t *testing.T) {
	c := campaign(t, mustParse(t, "swarm", `
workers 2 consumer=atomic
jobs 2
chaos drop-reply complete rate=100%
chaos duplicate claim rate=100%
chaos clock queue rate=100% jump=1s..2s count=1..1
quiet time=1m`))
	runner, swarms := scenarios.NewRunner(), map[int]int{}
	for seed := range uint64(300) {
		on := 0
		for i, struck := range world(t, runner, c, seed, false).Struck {
			if struck > 0 {
				on |= 1 << i
			}
		}
		swarms[on]++
	}
	if swarms[0] > 0 {
		t.Errorf("%d worlds have nothing to do", swarms[0])
	}
	if len(swarms) != 7 {
		t.Errorf("of the 7 ways to leave some of 3 lines on, these were drawn: %v", swarms)
	}
}

// From quiet on nothing is drawn, no window is open and nobody is dead, though
// there is work to be struck.
func TestFromQuietOnNothingGoesWrong(t *testing.T) {
	c := campaign(t, mustParse(t, "quiet", `
workers 2 consumer=atomic heartbeat=3s
producer p retries=0
jobs 40 every=1s
chaos drop complete claim rate=30%
chaos drop-reply complete claim rate=30%
chaos crash rate=20% restart=1s..60s
chaos pause w1 w2 rate=20%
chaos stall rate=50% count=1..2
chaos partition rate=50% count=1..3
chaos error apply rate=30%
chaos clock rate=50% jump=-1s..10s
quiet time=20s`))
	quiet := model.Time(20 * time.Second)
	runner, before, busy := scenarios.NewRunner(), 0, 0
	for seed := range uint64(400) {
		h := world(t, runner, c, seed, true).Outcome.History
		open := map[model.Kind]int{}
		for i := range h.Events {
			e := &h.Events[i]
			if e.Kind == model.Effected && e.At > quiet {
				busy++
			}
			if !isMishap(e) {
				continue
			}
			before++
			open[e.Kind]++
			if e.At > quiet || e.Until != model.Never && e.Until > quiet {
				t.Errorf("seed %d: %s at %s until %s", seed, e.Kind, e.At, e.Until)
			}
		}
		if crashed, restarted := open[model.Crashed], open[model.Restarted]; crashed != restarted {
			t.Errorf("seed %d: %d crashes and %d restarts", seed, crashed, restarted)
		}
		if cut, healed := open[model.Cut], open[model.Healed]; cut != healed {
			t.Errorf("seed %d: %d cuts, of which %d heal", seed, cut, healed)
		}
	}
	if before < 4000 || busy < 4000 {
		t.Errorf("%d mishaps and %d effects after them: the test sees too little", before, busy)
	}
}

// isMishap reports whether e is the work of an adversary.
func isMishap(e *model.Event) bool {
	switch e.Kind {
	case model.Crashed, model.Restarted, model.Paused, model.Woke, model.Stalled, model.Cut, model.Healed, model.ClockSet:
		return true
	}
	return e.Cause == model.ByFault || e.Cause == model.ByRefusal
}

// What was to be tried and never was is named, once there were worlds enough.
func TestWhatNeverStrikesIsVacuous(t *testing.T) {
	c := campaign(t, mustParse(t, "vacuous", "workers 2\njobs 2\nchaos drop extend rate=50%\nchaos drop complete rate=20%\n"))
	if got := count(t, c, 1, scenarios.EnoughChaos-1).Vacuous(c); got != nil {
		t.Errorf("too few worlds to tell, and it says %q", got)
	}
	want := []string{"chaos drop extend rate=50% never struck"} // nobody beats
	if got := count(t, c, 1, scenarios.EnoughChaos).Vacuous(c); !slices.Equal(got, want) {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// A story without a chaos line has that of the reference, of which it says nothing: here
// nobody works whose effect a store could refuse. The same lines as its own are its word.
func TestAdoptedChaosThatNeverStrikesIsNotHeldAgainstAStory(t *testing.T) {
	const bare = "job J1\ndo claim by=w1 time=10s\ndo complete J1#1 by=w1 time=19s\n"
	if got := vacuous(t, bare, scenarios.EnoughChaos); got != nil {
		t.Errorf("it says %q of lines that the story has not", got)
	}
	const line = "chaos error apply rate=5%"
	want := []string{line + " never struck"}
	if got := vacuous(t, bare+line+"\n", scenarios.EnoughChaos); !slices.Equal(got, want) {
		t.Errorf("it says %q, want %q", got, want)
	}
}

func TestWhatMayBreakAndNeverDoesIsVacuous(t *testing.T) {
	c := campaign(t, mustParse(t, "vacuous", "worker w1\njob J1\nchaos drop complete rate=20%\nexpect chaos may-break no-duplicate-effect no-loss\n"))
	tally := c.NewTally() // of worlds that were never run
	tally.Struck[0] = 1
	tally.Properties[slices.IndexFunc(model.Properties(), func(p *model.Property) bool { return p.Name == "no-loss" })].Broken = 1
	for runs, want := range map[int][]string{
		scenarios.EnoughRuns - 1: nil,
		scenarios.EnoughRuns:     {"no-duplicate-effect may break and never did"},
	} {
		tally.Runs = runs
		if got := tally.Vacuous(c); !slices.Equal(got, want) {
			t.Errorf("after %d worlds it says %q, want %q", runs, got, want)
		}
	}
}

// A property that a story names and that had nothing to judge in any of its worlds is as
// good as broken there: here nobody beats, so that no lease is ever extended.
func TestWhatIsNamedAndNeverEvaluatedIsVacuous(t *testing.T) {
	const world = "worker w1\njob J1\nchaos drop complete rate=20%\n"
	want := []string{"deadline-monotone was never evaluated"}
	for line, enough := range map[string]int{
		"expect held deadline-monotone settled-once\n": scenarios.EnoughChaos, "": scenarios.EnoughRuns,
	} {
		c := campaign(t, mustParse(t, "vacuous", world+line))
		if got := count(t, c, 1, uint64(scenarios.EnoughChaos-1)).Vacuous(c); got != nil {
			t.Errorf("%q: too few worlds to tell, and it says %q", line, got)
		}
		if got := count(t, c, 1, uint64(enough)).Vacuous(c); line == "" && got != nil || line != "" && !slices.Equal(got, want) {
			t.Errorf("%q: it says %q, want %q", line, got, want)
		}
	}
}

// What a story adds so that its worlds get over a fault has to do so in one of them. Each
// of these mends a fault that its chaos line does not let happen.
func TestARepairThatNeverChangedAnythingIsVacuous(t *testing.T) {
	for _, c := range []struct{ repair, story string }{
		{"reap-every is set, and no reap", "queue echomq reap-every=2s\nworker w1\nchaos drop enqueue rate=50%"},
		{"promote-every is set, and no promotion", "queue echomq promote-every=2s\nworker w1\nchaos drop enqueue rate=50%"},
		{"sweep-every is set, and no sweep", "queue echomq sweep-every=3s\nworker w1 consumer=atomic\nchaos drop complete rate=50%"},
		{"heartbeat is set, and no lease", "worker w1 heartbeat=10s\nchaos drop enqueue rate=50%"},
		{"retries is set, and no enqueue", "producer p retries=2\nworker w1 consumer=atomic\nchaos drop complete rate=50%"},
		{"settle-retries is set, and no settlement", "worker w1 settle-retries=2\nchaos drop enqueue rate=50%"},
		{"a consumer looks for markers", "worker w1 consumer=atomic\nchaos drop enqueue rate=50%"},
		{"a consumer upserts", "worker w1 consumer=natural\nchaos drop enqueue rate=50%"},
		{"a consumer is fenced", "worker w1 consumer=fenced\nchaos drop enqueue rate=50%"},
		{"a consumer gives a key", "worker w1 consumer=external-key\nchaos drop enqueue rate=50%"},
	} {
		t.Run(c.repair, func(t *testing.T) {
			text := c.story + "\njob J1\n"
			if got := vacuous(t, text, scenarios.EnoughChaos-1); got != nil {
				t.Errorf("too few worlds to tell, and it says %q", got)
			}
			if got := vacuous(t, text, scenarios.EnoughChaos); len(got) != 1 || !strings.HasPrefix(got[0], c.repair) {
				t.Errorf("it says %q", got)
			}
			if got := vacuous(t, text+"expect chaos may-break no-loss\n", scenarios.EnoughChaos); got != nil {
				t.Errorf("where something may break it says %q", got)
			}
		})
	}
}

// The same repairs in worlds that need them.
func TestARepairThatIsNeededIsNotVacuous(t *testing.T) {
	for _, story := range []string{
		"queue echomq reap-every=2s\nworker w1 consumer=atomic\nchaos drop complete rate=50%",
		"queue echomq promote-every=2s\nworker w1\nchaos error apply rate=50%",
		"queue echomq reap-every=off sweep-every=3s max-stalled=9\nworker w1 consumer=atomic\nchaos drop complete rate=50%",
		"worker w1 work=15s heartbeat=10s\nchaos drop enqueue rate=50%",
		"producer p retries=2\nworker w1\nchaos drop enqueue rate=50%",
		"worker w1 settle-retries=2\nworker w2 settle-retries=2\nchaos drop complete rate=20%",
		"worker w1 consumer=natural\nchaos drop complete rate=50%",
		"workers 2 consumer=fenced\nchaos pause rate=50% for=31s..90s",
		"worker w1 consumer=external-key\nchaos duplicate apply rate=50%",
	} {
		if got := vacuous(t, story+"\njob J1\n", scenarios.EnoughChaos); got != nil {
			t.Errorf("%s\nit says %q", story, got)
		}
	}
}

// vacuous returns what is vacuous in so many worlds of a story.
func vacuous(t *testing.T, text string, runs uint64) []string {
	t.Helper()
	c := campaign(t, mustParse(t, "repairs", text))
	return count(t, c, 1, runs).Vacuous(c)
}

// What may break is no failure.
func TestWhatMayBreakIsExpected(t *testing.T) {
	story := naiveReference(t)
	story.MayBreak = []string{"no-duplicate-effect"}
	tally := count(t, campaign(t, story), 1, 200)
	if tally.Unexpected != 0 || tally.Properties[1].Broken < 20 {
		t.Errorf("%d failures; it broke in %d worlds", tally.Unexpected, tally.Properties[1].Broken)
	}
}

func TestAStoryWithChaosOffHasNoCampaign(t *testing.T) {
	if c := campaign(t, mustParse(t, "off", "worker w1\njob J1\nchaos off\n")); c != nil {
		t.Errorf("it has one, of %d chaos lines", len(c.NewTally().Struck))
	}
}

// A story without chaos lines has the reference's, by the roles of its processes:
// what a worker is called changes no world.
func TestAStoryWithoutChaosAdoptsTheReference(t *testing.T) {
	ref := load(t, "reference")
	bare := *ref
	bare.Chaos, bare.Quiet = nil, 0
	renamed := mustParse(t, "renamed", strings.Replace(string(bare.Text()), "workers 3", "workers 3 prefix=eater", 1))
	if renamed.Workers[2].Name != "eater3" {
		t.Fatalf("the third worker is %q", renamed.Workers[2].Name)
	}
	if diff := cmp.Diff(count(t, campaign(t, ref), 1, 300), count(t, campaign(t, renamed), 1, 300)); diff != "" {
		t.Errorf("(-reference +renamed)\n%s", diff)
	}
}

// Adopted chaos befalls the roles that it was written for, however they are
// numbered here, and nobody else where nobody has them.
func TestAdoptedChaosBefallsTheSameRoles(t *testing.T) {
	for text, want := range map[string][]string{
		"producer p retries=0\njobs 3\n": {"queue"},
		"producer p retries=0\nproducer q retries=0\nworkers 2 consumer=atomic\njobs 3\n": {"queue", "w1", "w2"},
	} {
		c := campaign(t, mustParse(t, "adopts", text))
		runner, names, struck := scenarios.NewRunner(), c.Story.Cast().Names, map[string]bool{}
		for seed := range uint64(300) {
			for _, e := range world(t, runner, c, seed, false).Plan {
				if e.Point.Family != faults.Message {
					struck[names.Proc(e.Point.Proc)] = true
				}
			}
		}
		if got := slices.Sorted(maps.Keys(struck)); !slices.Equal(got, want) {
			t.Errorf("%q: it befalls %q, want %q", text, got, want)
		}
	}
}

func campaign(t testing.TB, s *scenarios.Story) *scenarios.Campaign {
	t.Helper()
	c, err := scenarios.NewCampaign(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func count(t testing.TB, c *scenarios.Campaign, first, n uint64) *scenarios.Tally {
	t.Helper()
	tally, err := c.Count(scenarios.NewRunner(), first, n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

func world(t testing.TB, r *scenarios.Runner, c *scenarios.Campaign, seed uint64, keep bool) *scenarios.World {
	t.Helper()
	w, err := r.World(c, seed, keep)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// naiveReference is the reference story with consumers that keep no marker.
func naiveReference(t testing.TB) *scenarios.Story {
	t.Helper()
	story, err := load(t, "reference"), error(nil)
	for _, w := range []string{"w1", "w2", "w3"} {
		if story, err = story.Set(w+".consumer", "naive"); err != nil {
			t.Fatal(err)
		}
	}
	return story
}

// idleProperties lists the properties that no world had anything to judge by.
func idleProperties(tally *scenarios.Tally) (names []string) {
	for i, p := range model.Properties() {
		if tally.Properties[i].Idle == tally.Runs {
			names = append(names, p.Name)
		}
	}
	return names
}

// What a plan says besides befalls a world where its seed draws nothing: here one
// that draws next to never. What does not occur there is no part of its plan.
func TestAPlanBefallsAWorldBesidesItsSeed(t *testing.T) {
	c := campaign(t, mustParse(t, "calm", "worker w1\njob J1\nchaos drop enqueue rate=0.0001%\nchaos pause w1 rate=0.0001% for=1s..10s count=0..1\n"))
	plan := mustParse(t, "plan", "worker w1\njob J1\nfault drop complete J1#1\nfault? drop complete J1#7\nfault pause w1 time=0s for=10s\n").Plan
	w, err := scenarios.NewRunner().WorldWith(c, 1, plan, true)
	if err != nil {
		t.Fatal(err)
	}
	const want = "fault pause w1 time=0s for=10s\nfault drop complete J1#1\n"
	if told := string(c.Tell(w).Text()); !strings.HasSuffix(told, want) {
		t.Errorf("told is\n%s\nwant at its end\n%s", told, want)
	}
	if got := brokenOf(w.Outcome); !slices.Contains(got, "no-duplicate-effect") {
		t.Errorf("broken is %v", got)
	}
}

// In a planned world nothing else goes wrong, however high the rates are. What the plan lets
// happen counts as struck, by the line that may do it, and what never fired does not.
func TestAPlannedWorldIsThatOfItsPlan(t *testing.T) {
	const world = "worker w1\njob J1\nchaos drop claim rate=100%\nchaos duplicate complete rate=100% by=1s..2s\nchaos drop complete rate=100%\n" +
		"chaos pause w1 rate=100% for=1s..2s count=1..1\nchaos pause w1 rate=100% for=1s..20s count=1..1\nchaos crash w1 rate=100% restart=1s..2s count=1..1\n"
	c := campaign(t, mustParse(t, "stormy", world))
	plan := mustParse(t, "plan", "worker w1\njob J1\nfault drop complete J1#1\nfault pause w1 time=0s for=10s\nfault? crash w1 time=99h restart=1s\n").Plan
	for seed := range uint64(10) {
		w, err := scenarios.NewRunner().PlannedWorld(c, seed, plan, true)
		if err != nil {
			t.Fatal(err)
		}
		if want := []int{0, 0, 1, 0, 1, 0}; !slices.Equal(w.Struck, want) {
			t.Errorf("seed %d: struck %v, want %v", seed, w.Struck, want)
		}
		if told := string(c.Tell(w).Text()); strings.Count(told, "\nfault") != len(plan) {
			t.Errorf("seed %d: told is\n%s", seed, told)
		}
	}
}

// From quiet on no window opens, whoever planned it.
func TestAWindowOpensBeforeAllIsQuiet(t *testing.T) {
	c := campaign(t, mustParse(t, "quiet", "worker w1\njob J1 at=61s\nchaos drop enqueue rate=0.0001%\nchaos pause w1 rate=0.0001% for=1s..10s count=0..2\nquiet time=1m\n"))
	plan := mustParse(t, "plan", "worker w1\njob J1 at=61s\nfault? pause w1 time=59s for=10s\nfault? pause w1 time=1m for=10s\n").Plan
	w, err := scenarios.NewRunner().WorldWith(c, 1, plan, true)
	if err != nil {
		t.Fatal(err)
	}
	if told, want := string(c.Tell(w).Text()), "pause w1 time=59s for=1s\n"; !strings.HasSuffix(told, want) || strings.Count(told, "pause") != 1 {
		t.Errorf("told is\n%s\nwant at its end\n%s", told, want)
	}
}
