package simtest_test

import (
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

func TestNoHandlerIsRefused(t *testing.T) {
	if tb := failing(t, nil); !strings.Contains(tb.Text(), "the handler is nil") {
		t.Error(tb.Text())
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
