package simtest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/scenarios/simtest"
)

func TestAWrongOptionFailsAtOnceWithTheRule(t *testing.T) {
	for _, c := range []struct {
		name string
		opt  simtest.Option
		says string
	}{
		{"runs", simtest.Runs(0), "Runs(0) must be between 1 and 10000000"},
		{"workers", simtest.Workers(101), "Workers(101) must be between 1 and 100"},
		{"jobs", simtest.Jobs(-1), "Jobs(-1) must be between 1 and 1000"},
		{"lease", simtest.Lease(time.Millisecond), "Lease(1ms) must be between 100ms and 1h0m0s"},
		{"heartbeat", simtest.Heartbeat(-1), "Heartbeat(-1ns) must be between 10ms and 1h0m0s"},
		{"timeout", simtest.Timeout(0), "Timeout(0s) must be between 1ms and 1h0m0s"},
		{"work", simtest.Work(-1), "Work(-1ns) must be between 0s and 1h0m0s"},
		{"attempts", simtest.MaxAttempts(0), "MaxAttempts(0) must be between 1 and 100"},
		{"property", simtest.MayBreak("no-los"), `did you mean "no-loss"`},
		{"no property", simtest.MayBreak(), "MayBreak() names nothing"},
		{"story", simtest.Story(" "), "Story is empty"},
		{"no worker", simtest.Story("queue echomq\njob J1"), "the story has no worker"},
		{"story's own error", simtest.Story("queue echomq\nworkers 2 wrok=1s"), "work"},
		{"chaos", simtest.Chaos(), "Chaos() says nothing"},
		{"chaos line", simtest.Chaos("drop complet rate=1%"), "complete"},
		{"chaos of two lines", simtest.Chaos("drop complete rate=1%\njob J9"), "each string is one chaos line"},
		{"nil", nil, "option 1 is nil"},
		{"resource", simtest.With("db", nil), `With("db", nil)`},
		{"no resource", simtest.With("db", func() (simtest.Resource, error) { return nil, nil }), "nil Resource"},
		{"service", simtest.Service(nil), "Service(nil)"},
		{"process", simtest.PerProcess(func() simtest.Handler { return naive }), "pass nil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if tb := failing(t, naive, c.opt); !strings.Contains(tb.Text(), c.says) {
				t.Errorf("%s\nwant %q", tb.Text(), c.says)
			}
		})
	}
}

func TestOptionsThatContradictEachOtherAreRefused(t *testing.T) {
	tb := failing(t, naive, simtest.Story("queue echomq\nworkers 2\njob J1"), simtest.Lease(time.Second))
	if !strings.Contains(tb.Text(), "Lease with Story: the story's own lines say that") {
		t.Error(tb.Text())
	}
}

func TestOptionsThatWouldDoNothingAreRefused(t *testing.T) {
	perProcess := simtest.PerProcess(func() simtest.Handler { return naive })
	resource := simtest.With("db", func() (simtest.Resource, error) { return nil, nil })
	for _, c := range []struct {
		name string
		opts []simtest.Option
		says string
	}{
		{"a handler made twice", []simtest.Option{perProcess, simtest.Consumes(naive)}, "once and without PerProcess"},
		{"the other way round", []simtest.Option{simtest.Consumes(naive), perProcess}, "PerProcess takes the place of the handler"},
		{"a service nobody asks", []simtest.Option{simtest.Service(http.NotFoundHandler())}, "add Consumes"},
		{"a context nobody has", []simtest.Option{simtest.IgnoresContext()}, "add Consumes"},
		{"a resource nobody finds", []simtest.Option{resource}, "add Consumes"},
	} {
		t.Run(c.name, func(t *testing.T) { says(t, failingQueue(t, variant(t, ""), c.opts...), c.says) })
	}
}

func TestNoHandlerIsRefused(t *testing.T) {
	if tb := failing(t, nil); !strings.Contains(tb.Text(), "the handler is nil") {
		t.Error(tb.Text())
	}
}

func TestTheDefaultsAreThoseOfTheConstants(t *testing.T) {
	s := simtest.NewConsumer(t, naive).Story()
	if s.Queue.Lease != simtest.DefaultLease || len(s.Workers) != simtest.DefaultWorkers || len(s.Jobs) != simtest.DefaultJobs {
		t.Errorf("lease %s, %d workers, %d jobs", s.Queue.Lease, len(s.Workers), len(s.Jobs))
	}
}

// Lines that the user has written keep their numbers, and those of another argument are
// told as its own.
func TestAnErrorOfALineIsToldWhereTheUserWroteIt(t *testing.T) {
	says(t, failingQueue(t, variant(t, ""), simtest.Story("worker w1\njobb J1")), "simtest:2: ")
	says(t, failing(t, naive, simtest.Story("worker w1\njob J1"), simtest.Chaos("drop complete rate=10%", "nonsense")), "Chaos:2: ")
	if _, err := simtest.NewConsumer(t, naive).Run("drop complete J1#1", "nonsense J1"); err == nil || !strings.HasPrefix(err.Error(), "Run:2: ") {
		t.Errorf("the error is %v", err)
	}
}

func TestACommentOnAWorkerLineIsNoOption(t *testing.T) {
	for _, line := range []string{"workers 2 # no consumer= here", "workers 2\t# two of them"} {
		c := simtest.NewConsumer(t, naive, simtest.Story(line+"\njob J1"))
		if got := c.Story().Workers[1].Handler; got == "" {
			t.Errorf("%q: the second worker has no handler", line)
		}
	}
}

func TestAWorldWithoutRandomOnesSaysSo(t *testing.T) {
	c := simtest.NewConsumer(t, naive, simtest.Story("worker w1\njob J1\nchaos off"))
	if _, err := c.World(1); err == nil || !strings.Contains(err.Error(), "it has no random worlds; use Run") {
		t.Errorf("World: %v", err)
	}
	result := testing.Benchmark(func(b *testing.B) {
		simtest.BenchConsumer(b, naive, simtest.Story("worker w1\njob J1\nchaos off"))
	})
	if result.N != 0 {
		t.Errorf("%d worlds were measured", result.N)
	}
}

func TestOptionsShapeTheWorld(t *testing.T) {
	c := simtest.NewConsumer(t, naive, simtest.Workers(3), simtest.Jobs(5), simtest.Lease(10*time.Second),
		simtest.Heartbeat(3*time.Second), simtest.MaxAttempts(5), simtest.Work(time.Second), simtest.Timeout(2*time.Second))
	text := string(c.Story().Text())
	for _, line := range []string{
		"queue echomq lease=10s max-attempts=5\n", "workers 3 consumer=handler:TestOptionsShapeTheWorld work=1s heartbeat=3s timeout=2s\n", "jobs 5 every=500ms\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
}
