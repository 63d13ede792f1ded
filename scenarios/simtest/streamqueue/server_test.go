package streamqueue_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq/valkey"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
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

func TestAServerThatGoesAwayLeavesTheCheckUnknown(t *testing.T) {
	q := embedded()
	if err := q.(*streamqueue.Queue).Close(); err != nil {
		t.Fatal(err)
	}
	q.Apply(0, model.Request{Op: model.OpEnqueue, ID: model.ID{NS: model.JOB, Value: 1}})
	if q.(*streamqueue.Queue).Err() == nil {
		t.Error("the queue does not say that it was lost")
	}
}
