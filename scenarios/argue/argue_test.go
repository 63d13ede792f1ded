package argue_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/argue"
)

// enough worlds that what these tests say of a change shows in them.
const enough = 1000

func explain(t *testing.T, text string, o argue.Options) *argue.Explanation {
	t.Helper()
	story, err := scenarios.Parse("test.story", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return explainStory(t, story, o)
}

func explainShipped(t *testing.T, name string) *argue.Explanation {
	t.Helper()
	return explainStory(t, load(t, name), argue.Options{Runs: enough})
}

// explained is lost-ack, explained once for all tests, which only read it.
var explained *argue.Explanation

func lostAck(t *testing.T) *argue.Explanation {
	t.Helper()
	if explained == nil {
		explained = explainShipped(t, "lost-ack")
	}
	return explained
}

func load(t *testing.T, name string) *scenarios.Story {
	t.Helper()
	story, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return story
}

func explainStory(t *testing.T, story *scenarios.Story, o argue.Options) *argue.Explanation {
	t.Helper()
	e, err := argue.Explain(story, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// trial returns what came of a change.
func trial(t *testing.T, e *argue.Explanation, change string) argue.Trial {
	t.Helper()
	i := slices.IndexFunc(e.Fixes, func(f argue.Trial) bool { return f.Change == change })
	if i < 0 {
		t.Fatalf("%s was not tried; there are %v", change, changes(e.Fixes))
	}
	return e.Fixes[i]
}

func changes(list []argue.Trial) (names []string) {
	for _, f := range list {
		names = append(names, f.Change)
	}
	return names
}

func fixes(e *argue.Explanation) []string {
	return changes(slices.DeleteFunc(slices.Clone(e.Fixes), func(f argue.Trial) bool { return !f.Fix }))
}

// knob writes what came of an option as "1s..30s fails, 45s..10m holds".
func knob(t *testing.T, e *argue.Explanation, name string) string {
	t.Helper()
	for _, k := range e.Knobs {
		if k.Name != name {
			continue
		}
		var list []string
		for _, s := range k.Spans {
			list = append(list, fmt.Sprintf("%s..%s %s", s.From, s.To, s.Result.Answer))
		}
		return strings.Join(list, ", ")
	}
	t.Fatalf("no option %s", name)
	return ""
}

// The gap itself. It needs its one lost ACK and nothing else: no lease, no timeout
// and no number of workers helps. What helps makes the second run change nothing.
func TestALostAckNeedsItsFaultAndIsFixedByTheConsumer(t *testing.T) {
	e := lostAck(t)
	if len(e.Needs) != 1 || !e.Needs[0].Needed() || e.Needs[0].Text != "fault drop complete J1#1" {
		t.Fatalf("it needs %+v", e.Needs)
	}
	n := e.Needs[0]
	if n.Without.Answer != argue.Holds || n.Was.Kind != model.Lost || n.Is.Kind != model.Applied || n.Is.Answer != model.OK {
		t.Errorf("without its fault it %s, and %v becomes %v", n.Without.Answer, n.Was, n.Is)
	}
	for name, want := range map[string]string{
		"lease": "1s..10m fails", "timeout": "100ms..10m fails", "workers": "1..10 fails", "work": "1ms..10m fails",
		"settle-retries": "0..0 fails, 1..10 holds", "reap-every": "100ms..1m fails, off..off moves",
	} {
		if got := knob(t, e, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	want := []string{"consumer=atomic", "consumer=natural", "consumer=ttl-marker:5m", "consumer=ttl-marker:24h",
		"consumer=external-key", "consumer=scorer-fixed"}
	if diff := cmp.Diff(want, fixes(e)); diff != "" {
		t.Errorf("fixes (-want +got):\n%s", diff)
	}
}

// One re-sent ACK saves the story, and no more than the story: a seed refutes it.
// The same goes for a marker that is written after the effect.
func TestAFixOfTheStoryAloneIsRefutedByASeed(t *testing.T) {
	e := lostAck(t)
	for _, change := range []string{"settle-retries=3", "consumer=marker-last"} {
		f := trial(t, e, change)
		if f.Small.Answer != argue.Holds || f.Fix || f.Of("no-duplicate-effect") == 0 {
			t.Errorf("%s: %+v", change, f)
		}
		if got := refutes(t, "lost-ack", change, f.First); got != "no-duplicate-effect" {
			t.Errorf("%s: the world that refutes it breaks %q", change, got)
		}
	}
}

// refutes runs the world of a seed with a change, without the help of the package,
// and returns what breaks in it.
func refutes(t *testing.T, name, change string, seed uint64) string {
	t.Helper()
	story, err := load(t, name), error(nil)
	key, value, _ := strings.Cut(change, "=")
	for _, w := range story.Workers {
		if story, err = story.Set(w.Name+"."+key, value); err != nil {
			t.Fatal(err)
		}
	}
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		t.Fatal(err)
	}
	world, err := scenarios.NewRunner().World(campaign, seed, false)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(world.Unexpected, " ")
}

// To acknowledge before the work moves the failure: hardly a duplicate any more,
// and losses that there were not before.
func TestAnEarlyAckMovesTheFailure(t *testing.T) {
	e := lostAck(t)
	early := trial(t, e, "ack=early")
	if early.Small.Answer != argue.Holds || early.Fix || !early.Moved(&e.AsIs, "no-duplicate-effect") {
		t.Errorf("ack=early: %+v", early)
	}
	if e.AsIs.Of("no-loss") != 0 || early.Of("no-loss") == 0 || early.Of("no-duplicate-effect") >= e.AsIs.Of("no-duplicate-effect") {
		t.Errorf("as it is %v, with ack=early %v", e.AsIs.Broken, early.Broken)
	}
}

// And back: a story that loses by its early ACK is fixed by no single change. With
// a late ACK it doubles, and only a consumer that bears that makes it whole. All of
// its workers are dead, so that it takes another one to show it.
func TestAnEarlyAckIsFixedByTwoChanges(t *testing.T) {
	e := explainShipped(t, "early-ack-loses")
	if got := fixes(e); len(got) > 0 {
		t.Errorf("%v fix it alone", got)
	}
	late := trial(t, e, "ack=late")
	if !late.Small.Relieved || late.Small.Answer != argue.Holds || !late.Moved(&e.AsIs, "no-loss") || late.Of("no-loss") != 0 {
		t.Errorf("ack=late: %+v", late)
	}
	pairs := changes(e.Pairs)
	if !slices.Contains(pairs, "consumer=atomic and ack=late") || slices.Contains(pairs, "consumer=fenced and ack=late") {
		t.Errorf("fixed by %v", pairs)
	}
	if !e.Lent {
		t.Error("the story says chaos off, and its worlds are not said to be drawn from the reference")
	}
}

// Work that takes 45s: a lease of 30s and below is too short for it, one of 45s is
// not, and no fault is needed. A longer lease is no fix all the same.
func TestTheLeaseThatIsTooShortIsFound(t *testing.T) {
	e := explainShipped(t, "slow-worker-refused")
	if len(e.Needs) != 0 {
		t.Errorf("it needs %v", e.Needs)
	}
	if got := knob(t, e, "lease"); got != "1s..30s fails, 45s..10m holds" {
		t.Errorf("lease: %s", got)
	}
	long := trial(t, e, "lease=1m")
	if long.Small.Answer != argue.Holds || long.Fix || long.Of("no-duplicate-effect") == 0 {
		t.Errorf("lease=1m: %+v", long)
	}
}

// A zombie settles a job that is another's by now, and the queue does not look at
// its token. The fence is the fix: the queue as built has it.
func TestTheFenceFixesTheZombie(t *testing.T) {
	e := explain(t, `
queue  echomq variant=no-fence
worker w1 consumer=atomic
worker w2 consumer=atomic work=20s
job    J1
fault  pause w1 after=apply J1#1 for=45s
`, argue.Options{Property: "stale-token-rejected", Runs: enough})
	if fence := trial(t, e, "variant=as-built"); !fence.Fix || fence.Bad != 0 || fence.Worlds != enough {
		t.Errorf("the fence: %+v", fence)
	}
	if e.AsIs.Of("stale-token-rejected") == 0 {
		t.Error("the worlds do not show the failure, and could refute nothing")
	}
}

// The fence at the store helps a zombie that comes to its effect too late, and not
// one whose ACK is lost: of a duplicate it is no fix.
func TestTheFenceOfTheStoreIsNoFixOfADuplicate(t *testing.T) {
	slow := trial(t, explainShipped(t, "slow-worker-refused"), "consumer=fenced")
	if slow.Small.Answer != argue.Holds || slow.Fix || slow.Of("no-duplicate-effect") == 0 {
		t.Errorf("work beyond the lease: %+v", slow)
	}
	if lost := trial(t, lostAck(t), "consumer=fenced"); lost.Small.Answer != argue.Fails || lost.Fix {
		t.Errorf("a lost ACK: %+v", lost)
	}
}

// Worlds in which the property never breaks can refute no change: none is a fix.
func TestWorldsThatShowNothingMakeNoFix(t *testing.T) {
	e := explain(t, "worker w1\njob J1\nchaos error apply rate=1%\nfault drop complete J1#1\n", argue.Options{Runs: 300})
	if got := fixes(e); len(got) > 0 || e.PairsTried > 0 {
		t.Errorf("fixed by %v, and %d pairs were tried", got, e.PairsTried)
	}
	if atomic := trial(t, e, "consumer=atomic"); atomic.Small.Answer != argue.Holds || atomic.Bad > 0 {
		t.Errorf("consumer=atomic: %+v", atomic)
	}
}

// A sweep that ends early proves nothing, and looks for no pairs.
func TestWhatIsCutIsNoFix(t *testing.T) {
	half := func(c *scenarios.Campaign, runs uint64, enough func(*scenarios.Tally) bool) (*scenarios.Tally, error) {
		return argue.InTurn(c, runs/2, enough)
	}
	e := explain(t, "worker w1\njob J1\nfault drop complete J1#1\n", argue.Options{Runs: 600, Sweep: half})
	if got := fixes(e); len(got) > 0 || e.PairsTried > 0 || !e.Cut {
		t.Errorf("cut: %v, fixed by %v, and %d pairs were tried", e.Cut, got, e.PairsTried)
	}
}

// Fixes come first, then what breaks in fewer worlds.
func TestChangesAreRanked(t *testing.T) {
	e := lostAck(t)
	if !slices.IsSortedFunc(e.Fixes, func(a, b argue.Trial) int {
		if a.Fix != b.Fix {
			if a.Fix {
				return -1
			}
			return 1
		}
		return a.Bad - b.Bad
	}) {
		t.Errorf("%v", changes(e.Fixes))
	}
}

// Twice the same, and the same from another sweep that goes about it otherwise.
func TestTheSameStoryHasTheSameExplanation(t *testing.T) {
	backwards := func(c *scenarios.Campaign, runs uint64, _ func(*scenarios.Tally) bool) (*scenarios.Tally, error) {
		total := c.NewTally()
		for seed := runs; seed > 0; seed-- {
			one, err := c.Count(scenarios.NewRunner(), seed, 1, nil)
			if err != nil {
				return nil, err
			}
			total.Add(one)
		}
		return total, nil
	}
	text := "worker w1\nworker w2\njob J1\nfault drop complete J1#1\n"
	first := explain(t, text, argue.Options{Runs: 300})
	then := explain(t, text, argue.Options{Runs: 300, Sweep: backwards})
	for _, e := range []*argue.Explanation{first, then} {
		e.Small = nil // compared by the tests of shrinking
	}
	if diff := cmp.Diff(first, then); diff != "" {
		t.Errorf("(-in turn +backwards):\n%s", diff)
	}
}

// What holds has nothing to explain.
func TestWhatHoldsHasNoExplanation(t *testing.T) {
	if _, err := argue.Explain(load(t, "lost-ack-atomic"), argue.Options{}); !errors.Is(err, scenarios.ErrNothingBroke) {
		t.Errorf("the error is %v", err)
	}
}
