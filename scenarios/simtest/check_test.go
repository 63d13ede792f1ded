package simtest_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
)

// naive does its effect and nothing else, as everybody does at first.
func naive(ctx context.Context, job simtest.Job) error { return job.Sink().Apply(ctx) }

// failing checks a consumer that fails, in a folder of its own.
func failing(t *testing.T, h simtest.Handler, opts ...simtest.Option) *tbtest.TB {
	t.Helper()
	tb := tbtest.Run(t, func(tb testing.TB) { simtest.CheckConsumer(tb, h, opts...) })
	if !tb.Broke {
		t.Fatalf("it passed:\n%s", tb.Text())
	}
	return tb
}

func TestAFailingTestPrintsWhatOneNeedsInTwentyFiveLines(t *testing.T) {
	for _, c := range classics {
		t.Chdir(t.TempDir())
		tb := failing(t, c.faulty)
		lines := strings.Split(tb.Text(), "\n")
		if len(lines) > 25 {
			t.Errorf("%s: %d lines", c.name, len(lines))
		}
		for _, part := range []string{"BROKEN        " + c.breaks, "J1#1", "WHY  ", "  Then  ", "fault ", "ACKGAP_REPLAY=ackgap1.", "go test -run '^TestAFailing"} {
			if !strings.Contains(tb.Text(), part) {
				t.Errorf("%s: no %q in\n%s", c.name, part, tb.Text())
			}
		}
	}
}

func TestTheRestOfAFailureIsInFilesThatItsAttributesName(t *testing.T) {
	t.Chdir(t.TempDir())
	tb := failing(t, naive)
	if tb.Attrs["ackgap.seed"] == "" || tb.Attrs["ackgap.property"] != "no-duplicate-effect" {
		t.Errorf("attributes %v", tb.Attrs)
	}
	dir := filepath.Dir(tb.Attrs["ackgap.report"])
	for _, name := range []string{"report.txt", "report.json", "failure.story", "world.story", "history.txt", "replay.sh"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFailureIsKeptAndRunFirstNextTime(t *testing.T) {
	t.Chdir(t.TempDir())
	failing(t, naive)
	kept, _ := filepath.Glob("testdata/ackgap/*.story")
	if len(kept) != 1 {
		t.Fatalf("kept %v", kept)
	}
	next := failing(t, naive, simtest.Runs(1), simtest.Seed(1)) // a world in which nothing breaks
	if !strings.Contains(next.Text(), kept[0]) {
		t.Errorf("the kept story was not run first:\n%s", next.Text())
	}
	says(t, failing(t, func(context.Context, simtest.Job) error { panic("no config") }),
		kept[0]+", which is kept of an earlier failure: ", "the handler panicked: no config")
	right := tbtest.Run(t, func(tb testing.TB) { simtest.CheckConsumer(tb, keyPerJob, simtest.Runs(10)) })
	if right.Broke || !strings.Contains(right.Text(), kept[0]+": what broke once is held now") {
		t.Errorf("the repaired handler on what was kept:\n%s", right.Text())
	}
}

func TestAKeptStoryThatTheHandlerHasOutgrownIsOnlyMentioned(t *testing.T) {
	t.Chdir(t.TempDir())
	failing(t, checkThenAct)
	tb := tbtest.Run(t, func(tb testing.TB) { simtest.CheckConsumer(tb, keyPerJob, simtest.Runs(10)) })
	if tb.Broke || !strings.Contains(tb.Text(), "no longer occurs: fault pause w1 before=write") {
		t.Errorf("%v\n%s", tb.Broke, tb.Text())
	}
}

func TestATokenReplaysTheFailureAndNothingElse(t *testing.T) {
	t.Chdir(t.TempDir())
	tb := failing(t, naive)
	token := regexp.MustCompile(`ackgap1\.\S+`).FindString(tb.Text())
	if err := os.RemoveAll("testdata"); err != nil {
		t.Fatal(err)
	}
	t.Setenv(simtest.Replay, token)
	again := failing(t, naive)
	if !strings.Contains(again.Text(), "BROKEN        no-duplicate-effect") || strings.Contains(again.Text(), "the handler or the queue is another") {
		t.Errorf("%s", again.Text())
	}
	if _, err := os.Stat("testdata"); err == nil {
		t.Error("a replay kept something")
	}
	held := tbtest.Run(t, func(tb testing.TB) { simtest.CheckConsumer(tb, keyPerJob) })
	if held.Broke || !strings.Contains(held.Text(), "every promise is held") {
		t.Errorf("the repaired handler: %s", held.Text())
	}
}

// Without -run the other checks of the package meet the token too: they pass over it, though
// the handler that its story names is unknown by then.
func TestATokenOfAnotherCheckIsPassedOver(t *testing.T) {
	t.Chdir(t.TempDir())
	var token string
	t.Run("Another", func(t *testing.T) {
		token = regexp.MustCompile(`ackgap1\.\S+`).FindString(failing(t, naive).Text())
	})
	t.Setenv(simtest.Replay, token)
	tb := tbtest.Run(t, func(tb testing.TB) { simtest.CheckConsumer(tb, naive) })
	if tb.Broke || !strings.Contains(tb.Text(), "the token is of the check TestATokenOfAnotherCheckIsPassedOver") || !strings.Contains(tb.Text(), "was not run") {
		t.Errorf("%v: %s", tb.Broke, tb.Text())
	}
}

// The line that is printed for a story which did not come to what it says fails as well.
func TestATokenOfAStoryThatIsNotMetFailsAgain(t *testing.T) {
	for _, story := range []string{
		"worker w1\njob J1\nchaos off\nexpect broken no-loss",
		"worker w1\njob J1\nchaos off\nfault drop complete J1#7",
	} {
		t.Run("", func(t *testing.T) {
			t.Chdir(t.TempDir())
			tb := failing(t, keyPerJob, simtest.Story(story))
			if seed, ok := tb.Attrs["ackgap.seed"]; ok {
				t.Errorf("it was found in no random world, and has the seed %s", seed)
			}
			t.Setenv(simtest.Replay, regexp.MustCompile(`ackgap1\.\S+`).FindString(tb.Text()))
			failing(t, keyPerJob, simtest.Story(story))
		})
	}
}

func TestATokenOfARunOutsideOfTestsIsRefused(t *testing.T) {
	story, err := scenarios.Parse("t.story", []byte("worker w1\njob J1\n"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(simtest.Replay, scenarios.NewToken("v1.2.3", 0, story))
	says(t, failing(t, naive), `made by "v1.2.3" and not by a check`, "ackgap replay TOKEN")
}

func TestADamagedTokenEndsTheTest(t *testing.T) {
	t.Setenv(simtest.Replay, "ackgap1.AAAA")
	if tb := failing(t, naive); !strings.Contains(tb.Text(), "damaged") {
		t.Error(tb.Text())
	}
}

func TestTheSameSeedLeavesTheSameBytes(t *testing.T) {
	for _, c := range classics {
		consumer := simtest.NewConsumer(t, c.faulty)
		other := simtest.NewConsumer(t, c.faulty)
		for seed := range uint64(200) {
			if a, b := digest(t, consumer, seed), digest(t, other, seed); a != b {
				t.Fatalf("%s, seed %d: %s and %s", c.name, seed, a, b)
			}
		}
	}
}

func digest(t *testing.T, c *simtest.Consumer, seed uint64) string {
	t.Helper()
	w, err := c.World(seed)
	if err != nil {
		t.Fatal(err)
	}
	return w.Outcome.History.Digest.String()
}

func TestAHandlerThatIsNotDeterministicIsToldSo(t *testing.T) {
	t.Chdir(t.TempDir())
	n := 0
	tb := failing(t, func(ctx context.Context, job simtest.Job) error {
		if n++; n%7 == 0 { // memory that outlives the run
			if err := job.KV().Put(ctx, "a", "b", 0); err != nil {
				return err
			}
		}
		return job.Sink().Apply(ctx)
	})
	if !strings.Contains(tb.Text(), "not deterministic") {
		t.Error(tb.Text())
	}
}

// write is what a handler may do by mistake: a map that was never made is written.
func write(m map[string]int) { m["a"]++ }

func TestAHandlerThatPanicsFailsWithItsStackAndTheSeed(t *testing.T) {
	tb := failing(t, func(context.Context, simtest.Job) error {
		var none map[string]int
		write(none)
		return nil
	})
	for _, part := range []string{"seed 1", "the handler panicked: assignment to entry in nil map", "check_test.go"} {
		if !strings.Contains(tb.Text(), part) {
			t.Errorf("no %q in\n%s", part, tb.Text())
		}
	}
}

func TestAHandlerWithoutAnEffectTestsNothing(t *testing.T) {
	tb := failing(t, func(context.Context, simtest.Job) error { return context.Canceled }, simtest.Runs(300))
	if !strings.Contains(tb.Text(), "nothing was tested") {
		t.Error(tb.Text())
	}
}

func TestAStoryOfOnesOwnIsRunAsWrittenToo(t *testing.T) {
	t.Chdir(t.TempDir())
	const story = `
queue echomq lease=10s
worker w1 work=1s  # it gets the handler
job J1
fault drop complete J1#1
chaos off
`
	tb := failing(t, naive, simtest.Story(story))
	if !strings.Contains(tb.Text(), "BROKEN        no-duplicate-effect") {
		t.Error(tb.Text())
	}
	simtest.CheckConsumer(t, keyPerJob, simtest.Story(story))
}

// With heartbeats EchoMQ as built brings a dead job back, once in a thousand worlds.
func TestWhatTheQueueDoesWrongIsNotHeldAgainstTheHandler(t *testing.T) {
	t.Chdir(t.TempDir())
	opts := []simtest.Option{simtest.Heartbeat(10 * time.Second), simtest.Work(25 * time.Second), simtest.Seed(527), simtest.Runs(1)}
	tb := tbtest.Run(t, func(tb testing.TB) { simtest.CheckConsumer(tb, checkAndActInOne, opts...) })
	if tb.Broke || !strings.Contains(tb.Text(), "in 1 world the queue broke a promise of its own") {
		t.Errorf("%s", tb.Text())
	}
	strict := failing(t, checkAndActInOne, append(opts, simtest.Strict())...)
	if !strings.Contains(strict.Text(), "BROKEN        one-place") {
		t.Errorf("%s", strict.Text())
	}
}

func TestWhatMayBreakIsNoFailure(t *testing.T) {
	simtest.CheckConsumer(t, naive, simtest.Runs(300), simtest.MayBreak("no-duplicate-effect"))
}
