package coverage_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

func parse(t *testing.T, name, text string) *scenarios.Story {
	t.Helper()
	story, err := scenarios.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return story
}

// campaigns returns those of the stories that are made to reach every cell.
func campaigns(t *testing.T) (list []*scenarios.Campaign) {
	t.Helper()
	names, texts := coverage.Stories()
	for i, name := range names {
		list = append(list, campaign(t, parse(t, name, string(texts[i]))))
	}
	return list
}

func campaign(t *testing.T, s *scenarios.Story) *scenarios.Campaign {
	t.Helper()
	c, err := scenarios.NewCampaign(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func explore(t *testing.T, c *scenarios.Campaign, first, n uint64) *coverage.Map {
	t.Helper()
	m, err := coverage.Explore(scenarios.NewRunner().World, c, first, n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// struck tells in words what struck where.
func struck(s coverage.Strikes) string {
	var words []string
	for f := range coverage.FaultCount {
		for p := range coverage.PhaseCount {
			if s[f].Has(p) {
				words = append(words, f.String()+" at "+p.String())
			}
		}
	}
	return strings.Join(words, ", ")
}

// A worker works from 0.004s to 10.004s, beats at 7.004s and settles at 10.004s; the
// lease lasts 30s, and messages take a millisecond.
const scene = `
queue echomq lease=30s
worker w1 consumer=marker-first work=10s heartbeat=7s
job J1
`

// Where each fault strikes, as doc.go says it.
func TestAFaultStrikesAtAPhase(t *testing.T) {
	for _, c := range []struct{ world, faults, want string }{
		{scene, "drop enqueue J1", "drop at enqueue"},
		{scene, "drop-reply enqueue J1", "drop-reply at enqueue"},
		{scene, "drop claim J1#1", "drop at claim"},
		{scene, "drop-reply claim J1#1", "drop-reply at claim-reply"},
		{scene, "delay complete J1#1 by=1s", "delay at settle"},
		{scene, "delay-reply complete J1#1 by=1s", "delay at settle-reply"},
		{scene, "duplicate extend J1#1 after=1s", "duplicate at heartbeat"},
		{scene, "error apply J1#1", "error at apply"},

		{scene, "crash w1 after=claim J1#1 restart=1s", "crash at claim-reply"},
		{scene, "crash w1 before=check J1#1 restart=1s", "crash at check"},
		{scene, "pause w1 after=mark J1#1 for=1s", "pause at mark"},
		{scene, "pause w1 before=apply J1#1 for=1s", "pause at apply"},
		{scene, "pause w1 after=settle J1#1 for=1s", "pause at settle"},

		{scene, "pause w1 time=0s for=1s", "pause at claim"},
		{scene, "pause w1 time=4s for=10s", "pause at check"},
		{scene, "crash w1 time=10.0045s restart=1s", "crash at settle"},
		{scene, "crash w1 time=10.0055s restart=1s", "crash at settle-reply"},
		{scene, "crash w1 time=11s restart=1s", "crash at claim"},
		{scene, "pause w1 time=7.0045s for=1s", "pause at check, pause at heartbeat"},
		{scene, "pause p time=0s for=1s", "pause at enqueue"},
		{scene, "pause w1 time=4s for=35s\nfault pause pump time=20s for=15s", "pause at check, pause at reap"},
		{scene, "pause w1 before=mark J1#1 for=5s\nfault clock queue jump=+1s time=12s", "pause at mark, clock at mark, clock at reap"},

		{scene, "stall heartbeat w1 time=4s for=5s", "stall at heartbeat"},
		{scene, "clock w1 skew=+1s", "clock at claim"},
		{scene, "clock queue jump=+1s time=4s", "clock at check, clock at reap"},
		{scene, "crash queue time=4s restart=1s", "server-restart at check, server-restart at reap"},
		{scene, "crash queue time=0s restart=1s", "server-restart at enqueue, server-restart at claim"},
		{scene, "partition w1 queue time=6s for=2s", "partition at heartbeat"},
		{scene, "partition w1 queue time=9s for=3s", "partition at settle"},
		{scene, "partition queue w1 time=9s for=3s oneway", "partition at settle-reply"},
		{scene, "partition p queue time=0s for=1s", "partition at enqueue"},
		{scene, "partition queue w1 time=9s for=9s oneway\nfault drop complete J1#1", "drop at settle, partition at heartbeat"},

		{"worker w1\njob J1 fails=1", "pause pump time=100ms for=2s", "pause at promote"},
		{"queue echomq lease=1s reap-every=off sweep-every=1s\nworker w1 work=9s\njob J1", "pause pump time=500ms for=5s", "pause at sweep"},
		{"queue echomq lease=1s sweep-every=1s\nworker w1 work=9s\njob J1", "pause pump time=500ms for=5s", "pause at reap"},
		{
			"queue echomq reap-every=30s sweep-every=35s\nworker w1 work=50s\njob J1",
			"clock queue jump=+1s time=1s\nfault pause pump time=10s for=60s", "pause at reap, clock at apply, clock at sweep",
		},
		{"worker w1 ack=early work=2s\njob J1", "pause w1 time=1s for=2s", "pause at apply"},
		{"worker w1 consumer=external\njob J1", "drop-reply apply J1#1", "drop-reply at apply"},
	} {
		story := parse(t, "test.story", c.world+"\nfault "+c.faults+"\n")
		out, err := story.Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Unfired) > 0 {
			t.Errorf("fault %s: it never fired", c.faults)
		}
		if got := struck(coverage.Of(story, story.Plan, out.History)); got != c.want {
			t.Errorf("fault %s: got %q, want %q", c.faults, got, c.want)
		}
	}
}

// A window that finds nobody strikes nowhere.
func TestAWindowThatFindsNobodyStrikesNowhere(t *testing.T) {
	for _, fault := range []string{
		"partition w1 queue time=1m for=1s",
		"pause w1 time=4s for=100ms",
		"pause p time=4s for=1s",
		"pause pump time=20s for=1s",
		"stall heartbeat w1 time=1m for=1s",
	} {
		story := parse(t, "test.story", scene+"fault? "+fault+"\n")
		out, err := story.Run(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := struck(coverage.Of(story, story.Plan, out.History)); got != "" {
			t.Errorf("fault? %s: got %q, want nothing", fault, got)
		}
	}
}

// What is impossible and what the goals are is together everything, once.
func TestEveryCellIsAGoalOrHasAReason(t *testing.T) {
	goals := map[coverage.Cell]bool{}
	for _, c := range coverage.Goals() {
		if goals[c] {
			t.Errorf("%v is a goal twice", c)
		}
		goals[c] = true
	}
	reasons := 0
	for f := range coverage.FaultCount {
		for p := range coverage.PhaseCount {
			possible := coverage.Impossible(f, p) == ""
			if !possible {
				reasons++
			}
			for _, broken := range []bool{false, true} {
				if c := (coverage.Cell{Fault: f, Phase: p, Broken: broken}); goals[c] != possible {
					t.Errorf("%v: a goal is %v, possible is %v", c, goals[c], possible)
				}
			}
		}
	}
	if n := int(coverage.FaultCount) * int(coverage.PhaseCount); len(goals)/2+reasons != n {
		t.Errorf("%d goals and %d reasons for %d places", len(goals), reasons, n)
	}
}

// The two together are what is reached, too: the stories of this package reach every
// cell that can occur, and neither they nor the catalogue ever one that cannot.
func TestWhatIsReachedIsWhatCanOccur(t *testing.T) {
	var own, all coverage.Map
	for _, c := range campaigns(t) {
		m := explore(t, c, 1, 3000)
		own.Add(m)
		all.Add(m)
	}
	if empty := own.Empty(); len(empty) > 0 {
		t.Errorf("nothing reached %v", empty)
	}
	for _, name := range scenarios.Catalogue() {
		story, err := scenarios.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if c := campaign(t, story); c != nil {
			all.Add(explore(t, c, 1, 50))
		}
	}
	for f := range coverage.FaultCount {
		for p := range coverage.PhaseCount {
			if n := all.At(f, p); coverage.Impossible(f, p) != "" && n != (coverage.Count{}) {
				t.Errorf("%v at %v is impossible, and was reached: %+v", f, p, n)
			}
		}
	}
}

// A world counts as broken for what its story allows, too. What the stories do not
// say breaks nowhere.
func TestTheStoriesSayWhatBreaks(t *testing.T) {
	for _, c := range campaigns(t) {
		runner, allowed := scenarios.NewRunner(), map[string]int{}
		for seed := range uint64(2000) {
			w, err := runner.World(c, seed+1, false)
			if err != nil {
				t.Fatal(err)
			}
			if len(w.Unexpected)+len(w.Open) > 0 {
				t.Fatalf("%s, seed %d: broken %v, unknown %v", c.Story.Name, seed+1, w.Unexpected, w.Open)
			}
			for _, v := range w.Outcome.Verdicts {
				if v.Value.String() == "broken" {
					allowed[v.Property]++
				}
			}
		}
		if len(allowed) == 0 {
			t.Errorf("%s: nothing broke in 2,000 worlds", c.Story.Name)
		}
	}
}

// However the seeds are dealt out, the sum is the same.
func TestMapsAddUp(t *testing.T) {
	c := campaigns(t)[0]
	whole := explore(t, c, 1, 200)
	parts := explore(t, c, 121, 80)
	parts.Add(explore(t, c, 1, 120))
	if diff := cmp.Diff(whole, parts, cmp.AllowUnexported(coverage.Map{})); diff != "" {
		t.Errorf("-in one, +in two parts\n%s", diff)
	}
	if whole.Runs() != 200 || whole.Held == 0 || whole.Broken == 0 {
		t.Errorf("%d worlds, %d held, %d broke something: want 200, and some of both", whole.Runs(), whole.Held, whole.Broken)
	}
}

// A world in which something is unknown is in no cell.
func TestAWorldThatIsOpenIsInNoCell(t *testing.T) {
	c := campaign(t, parse(t, "cut.story", "worker w1\njob J1\nchaos drop complete rate=100%\nhorizon 2s\n"))
	var m coverage.Map
	m.Add(explore(t, c, 1, 20))
	if m.Open != 20 || m.Reached() != 0 {
		t.Errorf("of 20 worlds that the horizon cuts %d are open, and %d cells were reached", m.Open, m.Reached())
	}
}
