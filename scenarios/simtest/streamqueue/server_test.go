package streamqueue_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq/valkey"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
	"github.com/ackgap/ackgap/scenarios/simtest/streamqueue"
)

// spawned begins a server of this machine's for the test, on a private socket, and
// returns what makes queues on it. Where none is installed the test is skipped, but
// not in .ci/run.
func spawned(t *testing.T) func() model.Queue {
	t.Helper()
	path, err := valkey.FindServer()
	if err != nil && os.Getenv("ACKGAP_REQUIRE") == "" {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp("", "ackgap-") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	server := exec.Command(path, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	return func() model.Queue {
		client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket, PoolSize: 1, Protocol: 2, DisableIdentity: true})
		waitFor(t, client)
		return streamqueue.New(client, nil)
	}
}

// waitFor waits until the server listens.
func waitFor(t *testing.T, client *redis.Client) {
	t.Helper()
	var err error
	for range 1000 {
		if err = client.Ping(context.Background()).Err(); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the server does not listen: %v", err)
}

func TestOnARealServerAConsumerGroupHasTheSame(t *testing.T) {
	server := spawned(t)
	queuetest.Run(t, server, streamqueue.Claims...)
	simtest.CheckQueue(t, server, simtest.Claims(streamqueue.Claims...), simtest.Runs(50))
}

func TestTheStoryIsTheSameOnARealServer(t *testing.T) {
	digest := func(newQueue func() model.Queue) model.Digest {
		q := simtest.NewQueue(t, newQueue, simtest.Consumes(careful), simtest.IgnoresContext(), simtest.Jobs(2))
		out, err := q.Run(story...)
		if err != nil {
			t.Fatal(err)
		}
		if v := out.Verdicts[0]; v.Property != "no-loss" || v.Value != model.Broken {
			t.Errorf("%s is %s", v.Property, v.Value)
		}
		return out.History.Digest
	}
	if here, there := digest(embedded), digest(spawned(t)); here != there {
		t.Errorf("embedded it leaves %s, on a server %s", here, there)
	}
}

// mortal is a queue whose server goes away after some requests.
type mortal struct {
	*streamqueue.Queue
	server *miniredis.Miniredis
	left   int
}

func (m *mortal) Apply(now model.Time, req model.Request) model.Reply {
	if m.left--; m.left == 0 {
		m.server.Close()
	}
	return m.Queue.Apply(now, req)
}

func TestAServerThatGoesAwayLeavesTheCheckUnknown(t *testing.T) {
	tb := tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckQueue(tb, func() model.Queue {
			q, server := open()
			return &mortal{q, server, 500}
		}, simtest.Claims(streamqueue.Claims...))
	})
	if !tb.Broke || !strings.Contains(tb.Text(), "unknown: the queue was lost") || strings.Contains(tb.Text(), "BROKEN") {
		t.Errorf("%v\n%s", tb.Broke, tb.Text())
	}
}
