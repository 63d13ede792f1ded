package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/scenarios"
)

func writeFile(name, text string) error { return os.WriteFile(name, []byte(text), 0o644) }

// endless is a check that does not end by itself.
var endless = []string{"check", "reference", "--runs", "1000000000000"}

const partialTable = `(?m)^reference +met +\d+ `

// An interrupt ends a check within a world's time: the table shows what was done,
// the exit status is 130, and no core is left at work.
func TestAnInterruptShowsWhatWasDone(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	var out, errs bytes.Buffer
	code := run(ctx, endless, nil, &out, &errs)
	if code != exitInterrupted || !regexp.MustCompile(partialTable).MatchString(out.String()) {
		t.Errorf("exit status %d, and it shows\n%s", code, out.String())
	}
	if got := errs.String(); got != "ackgap: interrupted\n" {
		t.Errorf("it says %q", got)
	}
	if after := settled(before); after > before {
		t.Errorf("%d goroutines before and %d after", before, after)
	}
}

// A signal is such an interrupt, and so is being told to end. The story is longer than a pipe holds, so that
// whoever has written it knows the program to be reading, and no more asleep.
func TestASignalInterrupts(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) { signalled(t, signal) })
	}
}

func signalled(t *testing.T, signal os.Signal) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "ackgap", "check", "-", "--runs", "1000000000000")
	var out bytes.Buffer
	c.Stdout = &out
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, strings.Repeat("# a long comment\n", 60_000)+"worker w1\njob J1\n"); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(out.String(), "\nstory ") {
		t.Errorf("exit status %d, and it shows\n%s", code, out.String())
	}
}

// Whoever stops taking tallies leaves no core at work, and what was taken are the
// first chunks in the order of their seeds.
func TestASweepThatIsBrokenOffLeavesNobodyAtWork(t *testing.T) {
	story := parse(t, "workers 2\njob J1\nchaos drop complete rate=50%\n")
	c, err := scenarios.NewCampaign(story)
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	all := sweep{campaign: c, first: 7, runs: 1 << 40, cores: 3}
	got := c.NewTally()
	for tally, err := range all.tallies(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if got.Add(tally); got.Runs == 3*chunk {
			break
		}
	}
	want, err := c.Count(scenarios.NewRunner(), 7, 3*chunk, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Unexpected != want.Unexpected || got.Steps != want.Steps {
		t.Errorf("%d failures in %d steps, want %d in %d", got.Unexpected, got.Steps, want.Unexpected, want.Steps)
	}
	if after := settled(before); after > before {
		t.Errorf("%d goroutines before and %d after", before, after)
	}
}

// When nobody takes tallies any more, cores stop between two worlds and not at the
// end of what they have been given.
func TestASweepThatIsBrokenOffBeginsNoMoreWorlds(t *testing.T) {
	c, err := scenarios.NewCampaign(parse(t, "queue echomq backend=counting\nworkers 2\njobs 60\nchaos drop complete rate=50%\n"))
	if err != nil {
		t.Fatal(err)
	}
	counter.Store(0)
	all := sweep{campaign: c, first: 1, runs: 1 << 40, cores: 3}
	for range all.tallies(t.Context()) {
		break
	}
	const given = 2 * 3 * chunk // what lies ahead of three cores
	if begun := counter.Load(); begun < chunk-3 || begun >= given {
		t.Errorf("%d worlds were begun; one chunk of %d was taken, and %d had been given out", begun, chunk, given)
	}
}

// counting is a queue that counts how often it is emptied, once for each world but
// the first of each core.
type counting struct{ *echomq.Queue }

var counter atomic.Int64

func (c counting) Reset() {
	counter.Add(1)
	c.Queue.Reset()
}

func init() {
	model.Register(model.Body{Protocol: "echomq", Backend: "counting", Open: func(variant string) (model.Queue, error) {
		q, err := echomq.New(variant)
		return counting{q}, err
	}})
}

// settled waits until there are no more goroutines than there should be: one that
// has told its group that it is done may not be gone yet.
func settled(want int) (n int) {
	for range 100 {
		if n = runtime.NumGoroutine(); n <= want {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return n
}

// What a core panics with is an internal error like any other, and says where.
func TestAPanicOfACoreIsAnInternalError(t *testing.T) {
	story := t.TempDir() + "/mined.story"
	if err := writeFile(story, "queue echomq backend=mined\nworker w1\njob J1\nchaos drop complete rate=100%\n"); err != nil {
		t.Fatal(err)
	}
	code, _, errs := ackgap(t, "check", story, "--runs", "600")
	if code != exitInternal || !strings.Contains(errs, "in one of 250 worlds from seed 1 on: a defect") {
		t.Errorf("exit status %d, and it says %q", code, errs)
	}
}

// mined is a queue that panics when a lease has lapsed, which in a story without
// faults none does.
type mined struct{ *echomq.Queue }

func (m mined) Apply(now model.Time, r model.Request) model.Reply {
	if r.Op == model.OpReap {
		panic("a defect")
	}
	return m.Queue.Apply(now, r)
}

func init() {
	model.Register(model.Body{Protocol: "echomq", Backend: "mined", Open: func(variant string) (model.Queue, error) {
		q, err := echomq.New(variant)
		return mined{q}, err
	}})
}

// A full disk must not look like a success.
func TestACheckThatCannotBeWrittenFails(t *testing.T) {
	full := writer(func([]byte) (int, error) { return 0, os.ErrClosed })
	var errs strings.Builder
	if got := run(t.Context(), []string{"check", "reference", "--runs", "1"}, nil, full, &errs); got != exitUsage || !strings.Contains(errs.String(), "closed") {
		t.Errorf("exit status %d, and it says %q", got, errs.String())
	}
}

func TestTheEstimateOfAnEndlessCheckIsBounded(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, 3, 1<<63)
	p.say(p.began.Add(time.Second))
	if got, want := b.String(), "0/3 stories  0 worlds  0 violated  0 worlds/s  about 999h0m0s left\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
