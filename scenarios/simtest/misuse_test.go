package simtest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
)

// says demands that a check failed, in at most 25 lines, among them these words.
func says(t *testing.T, tb *tbtest.TB, words ...string) {
	t.Helper()
	if lines := strings.Split(tb.Text(), "\n"); !tb.Broke || len(lines) > 25 {
		t.Errorf("it failed: %t, in %d lines:\n%s", tb.Broke, len(lines), tb.Text())
	}
	for _, w := range words {
		if !strings.Contains(tb.Text(), w) {
			t.Errorf("no %q in\n%s", w, tb.Text())
		}
	}
}

// TestACheckThatTriesNothingFails: green means that something was tried.
func TestACheckThatTriesNothingFails(t *testing.T) {
	noop := func(context.Context, simtest.Job) error { return nil }
	panics := func(context.Context, simtest.Job) error { panic("not yet written") }
	for _, c := range []struct {
		name    string
		handler simtest.Handler
		story   string
		says    string
	}{
		{"a panic and no chaos", panics, "worker w1\njob J1\nchaos off", "the handler panicked: not yet written"},
		{"nothing done and no chaos", noop, "worker w1\njob J1\nchaos off", "BROKEN        no-loss"},
		{"an expectation that is met by doing nothing", noop, "worker w1\njob J1\nchaos off\nexpect held one-place", "nothing was tested"},
		{"every worker has another consumer", noop, "worker w1 consumer=atomic\njob J1", "the handler is never called"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			says(t, failing(t, c.handler, simtest.Story(c.story)), c.says)
		})
	}
}

// TestAHandlerThatOutlivesItsLeaseIsToldSo: its context ends before its work each time.
func TestAHandlerThatOutlivesItsLeaseIsToldSo(t *testing.T) {
	t.Chdir(t.TempDir())
	slow := func(ctx context.Context, job simtest.Job) error {
		if err := job.Sleep(ctx, 40*time.Second); err != nil {
			return err
		}
		return job.Sink().Apply(ctx)
	}
	says(t, failing(t, slow, simtest.Runs(50)), "See Heartbeat and Lease")
	says(t, failing(t, slow, simtest.Runs(50), simtest.Lease(2*time.Minute)), "BROKEN")
}

// TestAHandlerWithoutACountedEffectIsToldWhatCounts: by its own lights it did its work. One
// that had its effect in other worlds is not told.
func TestAHandlerWithoutACountedEffectIsToldWhatCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	puts := func(ctx context.Context, job simtest.Job) error {
		return job.KV().Put(ctx, "done/"+job.ID, job.ID, 0)
	}
	for range 2 { // found, and then kept
		says(t, failing(t, puts), "BROKEN        no-loss", "no world has an effect that is counted: is what the handler does one of Sink, Tx.Apply, ")
	}
	t.Chdir(t.TempDir())
	if tb := failing(t, markerBefore); !strings.Contains(tb.Text(), "BROKEN        no-loss") || strings.Contains(tb.Text(), "effect that is counted") {
		t.Error(tb.Text())
	}
}

// TestWhatTheUserSaidAndNothingCameOfIsRed: a mishap that never struck, and a property that
// may break and never did. Without either the same check is green.
func TestWhatTheUserSaidAndNothingCameOfIsRed(t *testing.T) {
	strikes, idle := simtest.Chaos("drop complete rate=10%"), simtest.Chaos("drop extend rate=10%") // no worker has heartbeats
	simtest.CheckConsumer(t, keyPerJob, strikes, simtest.Runs(scenarios.EnoughRuns))
	says(t, failing(t, keyPerJob, strikes, idle), "drop extend", "2000 worlds: leave it out, or run more")
	says(t, failing(t, keyPerJob, strikes, simtest.MayBreak("no-duplicate-effect"), simtest.Runs(scenarios.EnoughRuns)),
		"no-duplicate-effect may break", "5000 worlds: leave it out, or run more")
}

// TestEachCheckOfATestHasANameOfItsOwn: a queue's and a handler's, in any order.
func TestEachCheckOfATestHasANameOfItsOwn(t *testing.T) {
	few := simtest.Runs(5)
	simtest.CheckQueue(t, variant(t, ""), few)
	simtest.CheckQueue(t, variant(t, ""), simtest.Consumes(keyPerJob), few)
	simtest.CheckConsumer(t, keyPerJob, few)
	simtest.CheckQueue(t, variant(t, ""), simtest.Consumes(keyPerJob), few)
}

// TestTheStoriesOfTwoChecksOfATestAreKeptApart: the queue is not blamed for the handler.
func TestTheStoriesOfTwoChecksOfATestAreKeptApart(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 2 {
		both := tbtest.Run(t, func(tb testing.TB) {
			simtest.CheckConsumer(tb, naive)
			tb.(*tbtest.TB).Logf("now the queue")
			simtest.CheckQueue(tb, variant(t, ""), simtest.Runs(50))
		})
		if _, queue, ok := strings.Cut(both.Text(), "now the queue"); !ok || strings.Contains(queue, "BROKEN") {
			t.Errorf("the right queue is blamed:\n%s", both.Text())
		}
	}
}

// TestAQueueThatTheStoryReplacesIsToldSo: it would never be asked.
func TestAQueueThatTheStoryReplacesIsToldSo(t *testing.T) {
	says(t, failingQueue(t, variant(t, ""), simtest.Story("worker w1\njob J1\nqueue echomq lease=5s")), "simtest:3: the queue of CheckQueue is your own, and the story names echomq")
}

// TestTheCheckEndsTheTestWithOneWord: not with another about what the world did.
func TestTheCheckEndsTheTestWithOneWord(t *testing.T) {
	t.Setenv(simtest.Replay, "ackgap1.AAAA")
	if tb := failing(t, naive); strings.Contains(tb.Text(), "what the world called") {
		t.Error(tb.Text())
	}
}

// TestAFailureOfManyFaultsStillFitsInTwentyFiveLines: the first of them stand for all.
func TestAFailureOfManyFaultsStillFitsInTwentyFiveLines(t *testing.T) {
	t.Chdir(t.TempDir())
	var story strings.Builder
	story.WriteString("worker w1\njobs 40\nchaos off\n")
	for i := range 40 {
		fmt.Fprintf(&story, "fault drop complete J%d#1\n", i+1)
	}
	says(t, failing(t, naive, simtest.Story(story.String())), "BROKEN", "... and 34 faults more", "ACKGAP_REPLAY=")
}

// asked is a queue that is a function.
type asked func(model.Time, model.Request) model.Reply

func (f asked) Apply(now model.Time, req model.Request) model.Reply { return f(now, req) }

// serving is a queue that answers a claim so.
func serving(rep model.Reply) func() model.Queue {
	return func() model.Queue {
		return asked(func(_ model.Time, req model.Request) model.Reply {
			switch {
			case req.Op == model.OpClaim:
				return rep
			case req.Op.Admits():
				return model.Reply{Answer: model.Enqueued}
			}
			return model.Reply{Answer: model.OK}
		})
	}
}

// TestWhatAQueueAnswersIsInput: no answer of its ends the program.
func TestWhatAQueueAnswersIsInput(t *testing.T) {
	other := model.Reply{Answer: model.OK}
	other.ID = model.ID{NS: model.JOB, Value: 999}
	for _, c := range []struct {
		name string
		open func() model.Queue
		says string
	}{
		{"the zero id", serving(model.Reply{Answer: model.OK}), "an id that nobody enqueued in this world"},
		{"another id", serving(other), `the queue served "JOB`},
		{"an answer that there is not", serving(model.Reply{Answer: 250}), "an answer that there is not (number 250)"},
		{"an answer to another verb", serving(model.Reply{Answer: model.Stale}), "claim was answered stale, an answer that it cannot have: return ok, empty or paused"},
		{"a fate for an answer", serving(model.Reply{Answer: model.LostReply}), "claim was answered lost-reply, which befalls a message on its way"},
		{"an answer that says nothing", serving(model.Reply{Answer: model.UnknownAnswer}), "claim was answered unknown, an answer that it cannot have: return ok, empty or paused; a queue that does not know what became of it says so by Err (model.Failer)"},
		{"a long panic", func() model.Queue {
			return asked(func(model.Time, model.Request) model.Reply { panic(strings.Repeat("long ", 1000)) })
		}, "long long …"},
		{"a panic", func() model.Queue {
			return asked(func(model.Time, model.Request) model.Reply { panic("out of\nmemory") })
		}, "the queue panicked in enqueue"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := tbtest.Run(t, func(tb testing.TB) { simtest.CheckQueue(tb, c.open, simtest.Runs(5)) })
			says(t, tb, c.says, " seed 1: ", "the world as a story: ", "ACKGAP_REPLAY=", " go test -run ")
			t.Setenv(simtest.Replay, regexp.MustCompile(`ACKGAP_REPLAY=(\S+)`).FindStringSubmatch(tb.Text())[1])
			says(t, tbtest.Run(t, func(tb testing.TB) { simtest.CheckQueue(tb, c.open) }), c.says)
		})
	}
}

// TestAPanicIsToldWithItsWorld: of the handler, the service, a step of an adapter.
func TestAPanicIsToldWithItsWorld(t *testing.T) {
	var deep func(int)
	deep = func(n int) {
		if n == 0 {
			panic("deep")
		}
		deep(n - 1)
	}
	posts := func(_ context.Context, job simtest.Job) error {
		_, err := job.Client().Post("http://pay/", "text/plain", nil)
		return err
	}
	acts := func(ctx context.Context, job simtest.Job) error { defer runtime.Goexit(); return job.Sink().Apply(ctx) }
	step := func(f func() simtest.Deed) simtest.Handler {
		return func(ctx context.Context, job simtest.Job) error { return job.Do(ctx, simtest.Apply, f) }
	}
	for _, c := range []struct {
		name    string
		handler simtest.Handler
		says    string
	}{
		{"handler", func(context.Context, simtest.Job) error { deep(40); return nil }, "the handler panicked: deep"},
		{"service", posts, "the Service panicked: svc"},
		{"step", step(func() simtest.Deed { panic("no such table") }), "a step of Job.Do panicked: no such table"},
		{"deed", step(func() simtest.Deed { return simtest.Deed{Effects: -1} }), "came to -1 effects"},
		{"goexit", func(context.Context, simtest.Job) error { runtime.Goexit(); return nil }, "the handler ended its goroutine"},
		{"goexit", acts, "the handler ended its goroutine"},
	} {
		t.Run(c.name, func(t *testing.T) {
			svc := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("svc") })
			tb := failing(t, c.handler, simtest.Service(svc))
			if says(t, tb, c.says); c.name != "goexit" {
				says(t, tb, " seed ", "ACKGAP_REPLAY=")
			}
		})
	}
}

// TestAGoroutineOfTheHandlersThatCallsTheJobFails: by itself, beside the handler, after
// it, and within a step. The call returns, and whoever waits for it goes on.
func TestAGoroutineOfTheHandlersThatCallsTheJobFails(t *testing.T) {
	apart := func(f func() error) chan error {
		done := make(chan error, 1)
		go func() { done <- f() }()
		return done
	}
	var late []func() error
	for name, h := range map[string]simtest.Handler{
		"waited for": func(ctx context.Context, job simtest.Job) error {
			return <-apart(func() error { return job.Sink().ApplyKey(ctx, job.ID) })
		},
		"beside": func(ctx context.Context, job simtest.Job) error {
			done := apart(func() error { return job.KV().Put(ctx, "a", "b", 0) })
			return errors.Join(job.Sink().ApplyKey(ctx, job.ID), job.Sleep(ctx, time.Second), <-done)
		},
		"both": func(ctx context.Context, job simtest.Job) error {
			one := apart(func() error { return job.Sleep(ctx, time.Second) })
			two := apart(func() error { _, err := job.Client().Get("http://x/"); return err })
			return errors.Join(<-one, <-two)
		},
		"afterwards": func(ctx context.Context, job simtest.Job) error {
			for _, f := range late {
				_ = f()
			}
			late = append(late, func() error { return job.Sink().Apply(ctx) })
			return job.Sink().ApplyKey(ctx, job.ID)
		},
		"within a step": func(ctx context.Context, job simtest.Job) error {
			return job.Do(ctx, simtest.Apply, func() simtest.Deed { _ = job.Sink().Apply(ctx); return simtest.Deed{Effects: 1} })
		},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, failing(t, h, simtest.Runs(100)), "a Job was called from a goroutine other than its handler's own")
		})
	}
}

// TestAJobThatIsKeptTellsNoOthersTime: what Now says of it is when its own delivery last went
// on, in whatever delivery it is asked.
func TestAJobThatIsKeptTellsNoOthersTime(t *testing.T) {
	var kept simtest.Job
	var told time.Time
	asked, later := 0, 0
	handler := func(ctx context.Context, job simtest.Job) error {
		if asked++; asked > 1 && !kept.Now().Equal(told) {
			t.Errorf("a Job of %s says %s in a later delivery", told, kept.Now())
		}
		if asked > 1 && job.Now().After(told) {
			later++
		}
		defer func() { kept, told = job, job.Now() }()
		return errors.Join(job.Sleep(ctx, time.Second), job.Sink().ApplyKey(ctx, job.ID))
	}
	c := simtest.NewConsumer(t, handler)
	for seed := range uint64(30) {
		if _, err := c.World(seed); err != nil {
			t.Fatal(err)
		}
	}
	if later < 30 {
		t.Errorf("of %d deliveries %d came later than the one before", asked, later)
	}
}

// TestADeepHandlerIsNoStranger, however many calls lie between it and the outside.
func TestADeepHandlerIsNoStranger(t *testing.T) {
	var deep func(n int, f func() error) error
	deep = func(n int, f func() error) error {
		if n == 0 {
			return f()
		}
		return deep(n-1, f)
	}
	for _, n := range []int{1, 50, 57, 64, 120, 1000} {
		simtest.CheckConsumer(t, func(ctx context.Context, job simtest.Job) error {
			return deep(n, func() error { return job.Sink().ApplyKey(ctx, job.ID) })
		}, simtest.Runs(10))
	}
}

// TestALoopWithoutEndFails: the handler goes on though its lease is over, or for ever.
func TestALoopWithoutEndFails(t *testing.T) {
	retries := func(ctx context.Context, job simtest.Job) error {
		for job.Sink().ApplyKey(ctx, job.ID) != nil {
			continue
		}
		return nil
	}
	reads := func(ctx context.Context, job simtest.Job) error {
		for {
			_, _, _ = job.KV().Get(ctx, "x")
		}
	}
	for name, h := range map[string]simtest.Handler{"retries": retries, "reads": reads} {
		t.Run(name, func(t *testing.T) {
			says(t, failing(t, h), "reached for the outside more than 10000 times in one delivery")
		})
	}
}

// TestMemoryThatOutlivesAWorldIsNamed: nothing is blamed on a promise, and nothing kept.
func TestMemoryThatOutlivesAWorldIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	seen := map[string]bool{}
	tb := failing(t, func(ctx context.Context, job simtest.Job) error {
		if seen[job.ID] {
			return nil
		}
		err := job.Sink().Apply(ctx)
		seen[job.ID] = err == nil
		return err
	})
	says(t, tb, "the handler is not deterministic", "remembered in the next")
	if _, err := os.Stat("testdata"); err == nil || strings.Contains(tb.Text(), "defect of ackgap") || strings.Contains(tb.Text(), "BROKEN") {
		t.Errorf("a false story was kept, or something else was blamed: %v\n%s", err, tb.Text())
	}
}

// TestBubbleOutsideOfABubbleIsRefused: it would sleep for real.
func TestBubbleOutsideOfABubbleIsRefused(t *testing.T) {
	says(t, failing(t, naive, simtest.Bubble()), "Bubble is for a check within synctest.Test")
}

// TestTestsOfAnyNameKeepTheirStoriesApart, and what they print replays them.
func TestTestsOfAnyNameKeepTheirStoriesApart(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"x/y", "x_y", "x-y", "a b", "a_b'", "#3", "[*] (|)", "\u8ba2\u5355", "\u4ed8\u6b3e"} {
		t.Run(name, func(t *testing.T) {
			before, _ := filepath.Glob("testdata/ackgap/*")
			tb := failing(t, naive)
			if after, _ := filepath.Glob("testdata/ackgap/*"); len(after) != len(before)+1 {
				t.Errorf("kept %d stories, then %d", len(before), len(after))
			}
			quoted := tb.Text()[strings.LastIndex(tb.Text(), "go test -run ")+len("go test -run "):]
			pattern := strings.ReplaceAll(quoted[1:len(quoted)-1], `'\''`, "'")
			parts, want := strings.Split(pattern, "/"), strings.Split(t.Name(), "/")
			for i := range want {
				if len(parts) != len(want) || !regexp.MustCompile(parts[i]).MatchString(want[i]) {
					t.Errorf("%s does not run %s", quoted, t.Name())
				}
			}
		})
	}
}
