package exhaust_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/sim/explore"
)

// Certificates of the variant hardened: every safety property holds under every
// schedule with so many faults, and without any one of its guards it does not.

// allButComplete are all acts but complete: who says it of a job that a worker has
// in hand ends work that never ran, and no queue can tell that from an ACK.
var allButComplete = actsBut(model.OpComplete)

func actsBut(left model.Op) []model.Op {
	acts, err := exhaust.ParseActs("all")
	if err != nil {
		panic(err)
	}
	return slices.DeleteFunc(acts, func(op model.Op) bool { return op == left })
}

// everythingBut is a scope with every act but complete, and all kinds of faults but
// those.
func everythingBut(left exhaust.Kinds) exhaust.Scope {
	return exhaust.Scope{Claims: 3, Kinds: exhaust.EveryKind &^ left, Acts: allButComplete, Symmetry: true}
}

// hardenedWorlds are worlds in which each transition of the queue can meet each
// other: a job that fails or not, that is dead at once or not, with a reap, with a
// stalled sweep, with both, and what the stories of EchoMQ's faults switch off.
func hardenedWorlds() (worlds []string) {
	for _, queue := range []string{
		"", "max-attempts=1", "reap-every=off sweep-every=1s", "sweep-every=1s max-stalled=2", "promote-every=off", "reap-every=off",
		"reap-every=off promote-every=off",
	} {
		for _, job := range []string{"J1", "J1 fails=1"} {
			worlds = append(worlds, fmt.Sprintf("story hardened\nqueue echomq variant=hardened %s\nproducer p retries=1\n"+
				"worker w1 consumer=atomic heartbeat=10s settle-retries=1\nworker w2 consumer=atomic heartbeat=10s settle-retries=1\n"+
				"job %s\n", queue, job))
		}
	}
	return worlds
}

// The worlds of the stories below scenarios/stories/echomq differ in nothing that a
// search reads but the queue line and whether the first delivery fails.
func TestTheWorldsOfEveryFaultOfEchoMQAreAmongThoseOfHardened(t *testing.T) {
	worlds := strings.Join(hardenedWorlds(), "")
	for _, name := range scenarios.Catalogue() {
		if !strings.HasPrefix(name, "echomq/") {
			continue
		}
		text, err := scenarios.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(string(text), "\nqueue  echomq ")
		options, _, _ := strings.Cut(rest, "\n")
		if found && !strings.Contains(worlds, "hardened "+strings.TrimPrefix(options, "lease=1s ")+"\n") {
			t.Errorf("%s: no world of hardened has a queue with %s", name, options)
		}
	}
}

func TestHardenedHoldsEveryPropertyWithThreeFaults(t *testing.T) {
	states := 0
	for _, text := range hardenedWorlds() {
		r := exploreAll(t, text, everythingBut(exhaust.LoseWrites), 3)
		states += r.Result.States
		if got := breaches(r); got != "" {
			t.Errorf("%s\nbreaks %s", text, got)
		}
	}
	t.Logf("%d states", states)
}

// The certificate of two jobs and two workers takes more than a million states.
func TestHardenedHoldsEveryPropertyWithTwoJobsTwoWorkersThreeFaults(t *testing.T) {
	t.Parallel()
	text := "story two-by-two\nqueue echomq variant=hardened\nworkers 2 consumer=atomic heartbeat=10s settle-retries=1\njobs 2\n"
	r := exploreAll(t, text, everythingBut(exhaust.LoseWrites), 3)
	if len(r.Findings) == 0 || breaches(r) != "" {
		t.Errorf("it breaks %s", breaches(r))
	}
	t.Logf("%d states, all there are", r.Result.States)
}

// Where somebody says complete who has done nothing, work is lost that never ran,
// and nothing else goes wrong.
func TestOnlyLossFollowsFromAnAckOfWhatNobodyDid(t *testing.T) {
	for _, text := range hardenedWorlds() {
		scope := everythingBut(exhaust.LoseWrites)
		scope.Acts = actsBut(model.OpNone)
		if got := breaches(exploreAll(t, text, scope, 2)); got != "" && got != "no-loss" {
			t.Errorf("%s\nbreaks %s", text, got)
		}
	}
}

// A queue that forgets its last write, or its last two, loses jobs, takes back what it
// said and counts fewer attempts than there were; but no stale token is ever accepted, and tokens rise.
func TestHardenedFencesThoughItForgetsItsLastTwoWrites(t *testing.T) {
	t.Parallel()
	for i, text := range hardenedWorlds() {
		if i%within(3, 1) > 0 {
			continue
		}
		got := breaches(exploreAll(t, text, everythingBut(0), 3))
		if strings.Contains(got, "stale-token-rejected") || strings.Contains(got, "tokens-rise") {
			t.Errorf("%s\nbreaks %s", text, got)
		}
		want := "attempts-bounded no-loss settled-once single-holder terminal-absorbing"
		if strings.Contains(text, "max-attempts=1") { // the claim at hand is always counted
			want = strings.TrimPrefix(want, "attempts-bounded ")
		}
		if got != want {
			t.Errorf("%s\nbreaks %s, want %s", text, got, want)
		}
	}
}

// Without any one guard a search finds with how few faults what that guard is for.
func TestASearchNeedsEveryGuard(t *testing.T) {
	registerUnguarded()
	for _, c := range []struct {
		without echomq.Guard
		kinds   exhaust.Kinds // that are left out
		want    string        // with how many faults what breaks that does not break with the guard
	}{
		{echomq.CompletesHeld, exhaust.LoseWrites, "1: no-ghost settled-once terminal-absorbing"},
		{echomq.RetriesHeld, exhaust.LoseWrites, "1: settled-once"},
		{echomq.DelaysHeld, exhaust.LoseWrites, "1: no-ghost one-place settled-once single-holder terminal-absorbing"},
		{echomq.ExtendsHeld, exhaust.LoseWrites, "0: no-ghost one-place single-holder terminal-absorbing"},
		{echomq.QueueTokens, exhaust.LoseWrites, "1: tokens-rise"},
		{echomq.LeaseRuns, 0, "2: attempts-bounded stale-token-rejected"},
		{echomq.ClockTokens, 0, "1: stale-token-rejected tokens-rise"},
	} {
		story := parse(t, hardenedWorlds()[1])
		story.Queue.Backend, story.Queue.Variant = "unguarded", c.without.String()
		if got := firstBroken(t, story, everythingBut(c.kinds)); got != c.want {
			t.Errorf("without %s: %q, want %q", c.without, got, c.want)
		}
	}
}

// firstBroken returns the least number of faults with which something breaks that
// hardened keeps, and all that does with so many.
func firstBroken(t *testing.T, story *scenarios.Story, scope exhaust.Scope) string {
	t.Helper()
	inherent := "no-loss settled-once single-holder terminal-absorbing"
	if scope.Kinds&exhaust.LoseWrites == 0 {
		inherent = ""
	}
	for faults := range 4 {
		var extra []string
		for p := range strings.FieldsSeq(breaches(exploreStory(t, story, scope, faults))) {
			if !strings.Contains(inherent, p) {
				extra = append(extra, p)
			}
		}
		if extra != nil {
			return fmt.Sprintf("%d: %s", faults, strings.Join(extra, " "))
		}
	}
	return "nothing"
}

// exploreAll visits all of a world. It asks for the one property that is not judged
// of a queue which does not declare it, so that nothing stops it on its way.
func exploreAll(t *testing.T, text string, scope exhaust.Scope, faults int) *exhaust.Report {
	t.Helper()
	return exploreStory(t, parse(t, text), scope, faults)
}

func exploreStory(t *testing.T, story *scenarios.Story, scope exhaust.Scope, faults int) *exhaust.Report {
	t.Helper()
	w, err := exhaust.New(story, scope)
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Explore(explore.Options{Faults: faults, Cores: 2, Compact: true}, "deliveries-bounded")
	if err != nil {
		t.Fatal(err)
	}
	if r.Result.Ending != explore.Exhausted {
		t.Fatalf("the search is %s", r.Result.Ending)
	}
	return r
}

// breaches lists the properties that were seen to break.
func breaches(r *exhaust.Report) string {
	var names []string
	for _, f := range r.Findings {
		if !f.Reach {
			names = append(names, f.Property)
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
}

// registerUnguarded offers hardened without one guard, whose name is the variant's.
func registerUnguarded() {
	body := model.Body{Protocol: "echomq", Backend: "unguarded", Unlisted: true}
	for _, g := range echomq.Guards() {
		body.Variants = append(body.Variants, model.Variant{Name: g.String(), Doc: "hardened without it"})
	}
	body.Open = func(variant string) (model.Queue, error) {
		i := slices.IndexFunc(echomq.Guards(), func(g echomq.Guard) bool { return g.String() == variant })
		return echomq.NewHardened(echomq.Guards()[i]), nil
	}
	model.Register(body)
}
