package main

import (
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// startServer begins a server that says it is new enough and loses its connection
// at the call of a script with that number, from 1; 0: never.
func startServer(t *testing.T, diesAt int) *miniredis.Miniredis {
	return startMortal(t, diesAt, false)
}

// startMortal begins one that, if it is to stay dead, answers nobody from then on.
func startMortal(t *testing.T, diesAt int, staysDead bool) *miniredis.Miniredis {
	t.Helper()
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	var calls atomic.Int64
	m.Server().SetPreHook(func(c *server.Peer, cmd string, args ...string) bool {
		if staysDead && calls.Load() >= int64(diesAt) {
			c.Close()
			return true
		}
		switch cmd {
		case "INFO":
			c.WriteBulk("redis_version:7.0.0\r\n")
			return true
		case "CLIENT": // each number is of a connection that is gone
			c.WriteInt(7)
			return true
		case "EVALSHA":
			if calls.Add(1) == int64(diesAt) {
				c.Close()
				return true
			}
		}
		return false
	})
	return m
}

// Wherever in a run the server is lost, the run is inconclusive and says why,
// and nothing is called broken or held.
func TestALostServerLeavesAllUnknown(t *testing.T) {
	for _, at := range []int{1, 2, 4} {
		m := startServer(t, at)
		code, out, _ := ackgap(t, "run", "lost-ack", "--backend", "valkey="+m.Addr())
		if code != exitInconclusive || !strings.Contains(out, "closed the connection") {
			t.Errorf("lost at call %d: exit status %d\n%s", at, code, out)
		}
		if keys := m.Keys(); len(keys) > 0 {
			t.Errorf("lost at call %d the queue leaves %q behind", at, keys)
		}
		if strings.Contains(out, "BROKEN") || strings.Contains(out, "HELD") || !strings.Contains(out, "NOT JUDGED    15 of 15") {
			t.Errorf("lost at call %d something is judged all the same:\n%s", at, out)
		}
	}
}

// A campaign whose server is lost is inconclusive too.
func TestALostServerLeavesACampaignUnknown(t *testing.T) {
	m := startServer(t, 40)
	if code, out, errs := ackgap(t, "check", "lost-ack", "--runs", "20", "--cores", "1", "--backend", "valkey="+m.Addr()); code != exitInconclusive {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
}

// Where a check's server cannot be reached again the check ends, shows what it has
// counted until then, and is inconclusive: in the own run of the first story, in a
// random world of it, or in one of the second.
func TestACheckWhoseServerStaysLostShowsWhatItHas(t *testing.T) {
	for at, rows := range map[int][]string{
		5:   {"lost-ack  open  0"},
		20:  {"lost-ack  met  1"},
		200: {"lost-ack  met  10", "reference  met  4"},
	} {
		m := startMortal(t, at, true)
		code, out, errs := ackgap(t, "check", "lost-ack", "reference", "crash-after-effect", "--runs", "10", "--cores", "1", "--backend", "valkey="+m.Addr())
		if code != exitInconclusive || strings.Count(errs, "the server is lost, and the check ends") != 1 || strings.Contains(out, "crash-after-effect") {
			t.Errorf("lost at call %d: exit status %d\n%s%s", at, code, out, errs)
		}
		for _, row := range rows {
			if !strings.Contains(strings.Join(strings.Fields(out), "  "), row) {
				t.Errorf("lost at call %d there is no row %q:\n%s", at, row, out)
			}
		}
	}
}

// It is inconclusive even where all that was counted is well, and a failure that
// was seen still is one.
func TestALostServerIsNoSuccessAndHidesNoFailure(t *testing.T) {
	for met, want := range map[scenarios.Met]int{scenarios.Yes: exitInconclusive, scenarios.No: exitNotMet} {
		c := &checker{flags: &checkFlags{}, streams: &streams{out: io.Discard, errs: io.Discard}, lost: errors.New("lost")}
		c.done = []reports.Checked{{Own: met}}
		if err := c.finish(t.Context()); err != status(want) {
			t.Errorf("%s: ended with %v, want exit status %d", met, err, want)
		}
	}
}

// A server that was never there is the caller's mistake, and so is one that a
// later story alone names.
func TestAServerThatWasNeverThereIsNoLostOne(t *testing.T) {
	if code, _, errs := ackgap(t, "check", "lost-ack", "--backend", "valkey=unix:/nowhere"); code != exitUsage || strings.Contains(errs, "lost, and") {
		t.Errorf("exit status %d\n%s", code, errs)
	}
	c := &checker{opened: []string{""}}
	if c.isLoss(&scenarios.Unopened{Backend: "valkey=unix:/nowhere"}) || c.isLoss(errors.New("else")) || c.lost != nil {
		t.Errorf("it is taken for a lost server: %v", c.lost)
	}
}

// Of several stories that are run those behind the lost server stay unknown too.
func TestARunWhoseServerStaysLostIsInconclusive(t *testing.T) {
	m := startMortal(t, 3, true)
	code, _, errs := ackgap(t, "run", "lost-ack", "reference", "--backend", "valkey="+m.Addr())
	if code != exitInconclusive || !strings.Contains(errs, "closed the connection") {
		t.Errorf("exit status %d\n%s", code, errs)
	}
}

// A server that runs is left as it was found, is refused where the queue's keys
// stand, and loses just these where it is told to.
func TestARunningServerKeepsWhatIsNotTheQueues(t *testing.T) {
	m := startServer(t, 0)
	backend := "valkey=" + m.Addr()
	for _, key := range []string{"other", "emq:{ackgap-1}:job:x"} {
		if err := m.Set(key, "1"); err != nil {
			t.Fatal(err)
		}
	}
	code, _, errs := ackgap(t, "run", "lost-ack", "--backend", backend)
	if code != exitUsage || !strings.Contains(errs, "emq:{ackgap-1}:job:x") || len(m.Keys()) != 2 {
		t.Errorf("exit status %d, left are %q\n%s", code, m.Keys(), errs)
	}
	code, onIt, errs := ackgap(t, "run", "lost-ack", "--backend", backend, "--flush-queue")
	if code != exitMet || !strings.Contains(errs, "backend "+backend) {
		t.Errorf("exit status %d\n%s", code, errs)
	}
	if _, onGo, _ := ackgap(t, "run", "lost-ack"); onIt != onGo {
		t.Errorf("the report is\n%s\non Go it is\n%s", onIt, onGo)
	}
	if keys := m.Keys(); len(keys) != 1 || keys[0] != "other" {
		t.Errorf("left are %q", keys)
	}
}

// A failure that cannot be shrunk, as where the server is lost meanwhile, is shown and
// written as it was found.
func TestAFailureThatCannotBeShrunkIsShownAsFound(t *testing.T) {
	told, err := scenarios.Parse("calm.story", []byte("story calm\nworker w1\njob J1\n"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := told.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out.Unnamed = []string{"no-loss"} // which holds, so that there is nothing to shrink
	var b strings.Builder
	c := &checker{flags: &checkFlags{}, streams: &streams{out: &b, errs: io.Discard}}
	f := &failure{failing: &failing{source: source{arg: "calm.story"}, seed: 7}, story: told, out: out}
	if err := f.shrink(c.flags); !errors.Is(err, scenarios.ErrNothingBroke) {
		t.Errorf("it ended with %v", err)
	}
	if err := c.showFailure(f); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"World 7 of calm.story.", "AS A STORY\n\nstory calm\n", "\n\nRUN AGAIN  ackgap run calm.story --seed 7\nTOKEN      ackgap replay ackgap1."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
