package main

import (
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// startServer begins a server that says it is new enough and dies at the call of
// a script with that number, from 1; 0: it lives.
func startServer(t *testing.T, diesAt int) *miniredis.Miniredis {
	t.Helper()
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	calls := 0
	m.Server().SetPreHook(func(c *server.Peer, cmd string, args ...string) bool {
		switch cmd {
		case "INFO":
			c.WriteBulk("redis_version:7.0.0\r\n")
			return true
		case "CLIENT": // each number is of a connection that is gone
			c.WriteInt(7)
			return true
		case "EVALSHA":
			calls++
			if calls == diesAt {
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
		if strings.Contains(out, "BROKEN") || !strings.Contains(out, "HELD          0 of") {
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
