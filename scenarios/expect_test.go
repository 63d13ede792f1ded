package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// An expectation that is not met says what was seen instead. One line of each
// kind is asked of a world in which it is wrong.
var wrong = []struct {
	world, expect, got string
}{
	{lostAck, "effects J1 = 1", "2 effects"},
	{lostAck, "effects J1 >= 3", "2 effects"},
	{lostAck, "effects J1 <= 1", "2 effects"},
	{lostAck, "deliveries J1 = 1", "2 deliveries"},
	{lostAck, "state J1 = pending", "the state is completed"},
	{lostAck, "held no-duplicate-effect", "no-duplicate-effect is broken"},
	{lostAck, "held no-loss no-duplicate-effect", "no-duplicate-effect is broken"},
	{lostAck, "broken no-loss", "no-loss is held"},
	{lostAck, "held saw-marker-skip", "saw-marker-skip is unknown"},
	{lostAck, "held deadline-monotone", "deadline-monotone was never evaluated"},
	{lostAck, "answer complete J1#1 = ok", "answered lost-request"},
	{lostAck, "answer retry J1#1 = scheduled", "there was no such request"},
	{lostAck, "answer complete J1#2 = lost-reply", "answered ok"},
	{lostAck, "refused complete J1#2", "answered ok"},
	{lostAck, "refused retry J1#2", "there was no such request"},
	{lostAck, "no twin", "there is a twin: drop-reply claim J1#1"},
	{lostAck, "twin J1#2", "the queue was told: complete J1#2 was answered ok"},
}

const lostAck = "worker w1\njob J1\nfault drop complete J1#1\n"

func TestAnExpectationThatIsWrongSaysWhatWasSeen(t *testing.T) {
	for _, c := range wrong {
		out := outcomeOf(t, c.world+"expect "+c.expect+"\n", scenarios.Options{})
		r := out.Results[0]
		if r.Met == scenarios.Yes || out.Met != r.Met || r.Got != c.got {
			t.Errorf("expect %s: %s, %q, and the story is %s; want %q", c.expect, r.Met, r.Got, out.Met, c.got)
		}
	}
}

func TestAnExpectationThatIsRightSaysNothing(t *testing.T) {
	for _, expect := range []string{
		"effects J1 >= 2", "effects J1 <= 2", "deliveries J1 = 2", "state J1 = completed",
		"answer complete J1#1 = lost-request", "answer complete J1#2 = ok", "broken no-duplicate-effect", "twin J1#1", "twin",
	} {
		out := outcomeOf(t, lostAck+"expect "+expect+"\n", scenarios.Options{})
		if r := out.Results[0]; r.Met != scenarios.Yes || r.Got != "" || out.Met != scenarios.Yes {
			t.Errorf("expect %s: %s, %q, and the story is %s", expect, r.Met, r.Got, out.Met)
		}
	}
}

// A refusal is a refusal though the last answer is another.
func TestRefusedAsksWhetherAnyWasRefused(t *testing.T) {
	out := outcomeOf(t, `job J1
		do claim by=w1 time=1s
		do complete J1#1 by=w1 time=2s token=9
		do complete J1#1 by=w1 time=3s
		expect refused complete J1#1
		expect answer complete J1#1 = ok`, scenarios.Options{})
	for _, r := range out.Results {
		if r.Met != scenarios.Yes {
			t.Errorf("line %d: %s", r.Expect.Line, r.Got)
		}
	}
}

// What is unknown leaves a story open, and what is wrong outweighs it, in either
// order.
func TestNotMetOutweighsInconclusive(t *testing.T) {
	const cut = "worker w1 work=20s\njob J1\nhorizon 10s\n"
	for _, c := range []struct {
		expect string
		want   scenarios.Met
	}{
		{"", scenarios.Inconclusive},
		{"expect held no-loss\n", scenarios.Inconclusive},
		{"expect unknown no-loss\n", scenarios.Yes},
		{"expect held no-loss\nexpect effects J1 = 5\n", scenarios.No},
		{"expect effects J1 = 5\nexpect held no-loss\n", scenarios.No},
		{"expect held no-loss deadline-monotone\n", scenarios.No},
		{"expect held deadline-monotone no-loss\n", scenarios.No},
	} {
		if out := outcomeOf(t, cut+c.expect, scenarios.Options{}); out.Met != c.want {
			t.Errorf("%q: %s, want %s", c.expect, out.Met, c.want)
		}
	}
	if out := outcomeOf(t, cut, scenarios.Options{}); !slices.Contains(out.Open, "no-loss") {
		t.Errorf("open are %v, want no-loss among them", out.Open)
	}
}

func TestAPropertyThatIsNamedAndHadNothingToJudgeIsVacuous(t *testing.T) {
	out := outcomeOf(t, lostAck+"expect held deadline-monotone no-loss\n", scenarios.Options{})
	if !slices.Equal(out.Vacuous, []string{"deadline-monotone"}) {
		t.Errorf("vacuous are %v, want deadline-monotone", out.Vacuous)
	}
}

// Where nothing is expected all must hold; where something is, only --strict
// asks for the rest.
func TestABrokenPropertyThatNobodyNamed(t *testing.T) {
	const name = "no-duplicate-effect"
	for what, c := range map[string]struct {
		expect  string
		strict  bool
		want    scenarios.Met
		unnamed []string
	}{
		"a story that expects nothing":        {"", false, scenarios.No, []string{name}},
		"a story that expects something else": {"expect effects J1 = 2\n", false, scenarios.Yes, nil},
		"the same, strictly":                  {"expect effects J1 = 2\n", true, scenarios.No, []string{name}},
		"a story that names it, strictly":     {"expect broken " + name + "\n", true, scenarios.Yes, nil},
	} {
		out := outcomeOf(t, lostAck+c.expect, scenarios.Options{Strict: c.strict})
		if out.Met != c.want || !slices.Equal(out.Unnamed, c.unnamed) {
			t.Errorf("%s: %s, unnamed %v; want %s, %v", what, out.Met, out.Unnamed, c.want, c.unnamed)
		}
	}
}

// deliveries-bounded is judged where the queue promises it; reach is no promise.
func TestWhichPropertiesAQueueIsToHold(t *testing.T) {
	out := outcomeOf(t, lostAck, scenarios.Options{})
	for name, want := range map[string]bool{
		"no-loss": true, "deliveries-bounded": false, "saw-redelivery": false, "no-such-property": false,
	} {
		if got := out.IsDefault(name); got != want {
			t.Errorf("%s is a default: %v", name, got)
		}
	}
}

func TestAFaultThatNeverFiresFailsTheStoryUnlessItMay(t *testing.T) {
	const idle = "worker w1\njob J1\nexpect effects J1 = 1\n"
	if out := outcomeOf(t, idle+"fault drop retry J1#1\n", scenarios.Options{}); out.Met != scenarios.No || len(out.Unfired) != 1 || out.Unfired[0].Line != 4 {
		t.Errorf("%s, unfired %v; want not met, the fault at line 4", out.Met, out.Unfired)
	}
	if out := outcomeOf(t, idle+"fault? drop retry J1#1\n", scenarios.Options{}); out.Met != scenarios.Yes || len(out.Unfired) != 0 {
		t.Errorf("fault?: %s, unfired %v; want met", out.Met, out.Unfired)
	}
}

// With nothing to do nothing can be met.
func TestAStoryWithoutAJobIsNotMet(t *testing.T) {
	if out := outcomeOf(t, "worker w1\n", scenarios.Options{}); out.Met != scenarios.No || !out.Idle {
		t.Errorf("%s, idle %v; want not met, idle", out.Met, out.Idle)
	}
}

// The history behind ---- is compared record by record; space at the ends does
// not count.
func TestWhereAHistoryDiffers(t *testing.T) {
	const story = "job J1\nexpect state J1 = pending\n"
	records := strings.SplitAfter(strings.TrimRight(outcomeOf(t, story, scenarios.Options{}).HistoryText(), "\n"), "\n")
	all := strings.Join(records, "")
	for _, c := range []struct{ what, history, says string }{
		{"the same", all, ""},
		{"a line of its own first", "first\n" + all, "record 1 is"},
		{"space behind", strings.ReplaceAll(all, "\n", "  \n") + "\n\n", ""},
		{"one too few", strings.Join(records[:len(records)-1], ""), "and there should be none"},
		{"one too many", all + "\nand more", `should be "and more", and there is none`},
		{"another", strings.Replace(all, records[1], "else\n", 1), "record 2 is"},
	} {
		out := outcomeOf(t, string(scenarios.WithHistory([]byte(story), c.history)), scenarios.Options{})
		differs := out.HistoryDiffers != ""
		if differs != (c.says != "") || !strings.Contains(out.HistoryDiffers, c.says) || (out.Met == scenarios.No) != differs {
			t.Errorf("%s: %s, %q; want %q", c.what, out.Met, out.HistoryDiffers, c.says)
		}
	}
}

// Three kinds of lines look at the history, which a run that forgets has not.
func TestWhatARunThatForgetsCannotLookUp(t *testing.T) {
	for _, line := range []string{"expect answer complete J1#1 = ok", "expect twin J1#1", "expect no twin", "----"} {
		story := mustParse(t, "t.story", "worker w1\njob J1\n"+line+"\n")
		if _, err := story.Run(scenarios.Options{Forget: true}); err == nil || !strings.Contains(err.Error(), "t.story") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestABackendThatIsNotLinkedIsNamedWithThoseThatAre(t *testing.T) {
	story := mustParse(t, "t.story", "job J1\n")
	story.Queue.Backend, story.Queue.Line = "paper", 7
	_, err := story.Run(scenarios.Options{})
	const want = "t.story:7: backend paper of echomq is not linked into this program; linked are: go"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// Every variant and every form of the queue is its own queue for a runner.
func TestARunnerDoesNotMixUpVariants(t *testing.T) {
	runner := scenarios.NewRunner()
	for _, variant := range []string{"", "ignores-ack", ""} {
		text := "queue echomq max-attempts=3\nworker w1\njob J1\nhorizon 2m\n"
		if variant != "" {
			text = strings.Replace(text, "echomq", "echomq variant="+variant, 1)
		}
		out, err := runner.Run(mustParse(t, "t.story", text), scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if kept := out.Verdicts[0].Value == model.Broken || out.Met != scenarios.Yes; kept != (variant != "") {
			t.Errorf("variant %q: %s", variant, out.Met)
		}
	}
}

func outcomeOf(t *testing.T, text string, o scenarios.Options) *scenarios.Outcome {
	t.Helper()
	out, err := mustParse(t, "t.story", text).Run(o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A run that is cut by its limit of steps says so, and is inconclusive: a fault that
// has not fired might have.
func TestARunThatIsTooLongIsInconclusive(t *testing.T) {
	story, err := scenarios.Parse("long", []byte("worker w1\njobs 9\nfault drop complete J9#1\n"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{MaxSteps: 50})
	if err != nil {
		t.Fatal(err)
	}
	if out.Met != scenarios.Inconclusive || out.End != model.Limit || out.Steps != 50 {
		t.Errorf("%s after %d steps, ended by %s", out.Met, out.Steps, out.End)
	}
	for _, v := range out.Verdicts {
		if v.Value == model.Unknown && !strings.HasPrefix(v.Witness.Says, "the limit of steps") {
			t.Errorf("%s is unknown: %s", v.Property, v.Witness.Says)
		}
	}
}
