package streamqueue_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/streamqueue"
)

// embedded makes queues on a server within this process.
func embedded() model.Queue {
	q, _ := open()
	return q
}

// open begins a server within this process, whose clock is the simulator's, and a
// queue on it, over a connection without a network.
func open() (*streamqueue.Queue, *miniredis.Miniredis) {
	server := miniredis.NewMiniRedis()
	return streamqueue.New(dialled(server), server.SetTime), server
}

func dialled(server *miniredis.Miniredis) *redis.Client {
	return redis.NewClient(&redis.Options{
		Dialer:   func(context.Context, string, string) (net.Conn, error) { return server.Dial() },
		PoolSize: 1, MaxRetries: -1, Protocol: 2, DisableIdentity: true,
	})
}

func TestAConsumerGroupHasWhatItClaims(t *testing.T) {
	queuetest.Run(t, embedded, streamqueue.Claims...)
}

// Consumers that mark and act in one transaction come to no harm.
func TestAConsumerGroupHoldsWhatItClaims(t *testing.T) {
	simtest.CheckQueue(t, embedded, simtest.Claims(streamqueue.Claims...), simtest.Runs(300))
}

// A worker that asks for more time is told that it gets none, so that worlds with
// heartbeats can be judged.
func TestNoLeaseIsExtendedAndWhoAsksIsTold(t *testing.T) {
	q := embedded()
	id := model.ID{NS: model.JOB, Value: 1}
	q.Apply(0, model.Request{Op: model.OpEnqueue, ID: id})
	g := q.Apply(0, model.Request{Op: model.OpClaim, Lease: time.Minute}).Grant
	for _, op := range []model.Op{model.OpExtend, model.OpDelay} {
		if got := q.Apply(0, model.Request{Op: op, ID: id, Token: g.Token, Lease: time.Hour}).Answer; got.Accepted() {
			t.Errorf("%s was answered %s, and changes nothing", op, got)
		}
	}
	simtest.CheckQueue(t, embedded, simtest.Claims(streamqueue.Claims...), simtest.Heartbeat(5*time.Second), simtest.Work(40*time.Second), simtest.Runs(50))
}

// A job that is sent again is a second entry: each is handed out, and settled, by itself.
func TestAJobThatIsSentAgainIsAnotherEntry(t *testing.T) {
	q := embedded()
	id := model.ID{NS: model.JOB, Value: 1}
	for range 2 {
		q.Apply(0, model.Request{Op: model.OpEnqueue, ID: id})
	}
	for range 2 {
		g := q.Apply(0, model.Request{Op: model.OpClaim, Lease: time.Minute})
		if done := q.Apply(0, model.Request{Op: model.OpComplete, ID: id, Token: g.Grant.Token}).Answer; g.Grant.Token != 1 || done != model.OK {
			t.Errorf("claimed with token %d, and settled: %s", g.Grant.Token, done)
		}
	}
}

// What a stream cannot do is not answered as if it were done.
func TestAVerbThatAStreamHasNotIsNotAnsweredOK(t *testing.T) {
	for _, op := range []model.Op{model.OpPause, model.OpRemove, model.OpDrain, model.OpExtendBatch, model.OpDelayAt, model.OpEnqueueIn} {
		q := streamqueue.New(dialled(miniredis.NewMiniRedis()), nil)
		if rep := q.Apply(0, model.Request{Op: op}); rep.Answer.Accepted() || rep.Err == "" && q.Err() == nil {
			t.Errorf("%s was answered %s without a word of why", op, rep.Answer)
		}
	}
}

// Every lease lapses by the clock of the simulator, on a server that has its own, be there
// ever so many of them.
func TestOfAThousandLeasesAndOneEachIsOver(t *testing.T) {
	client := dialled(miniredis.NewMiniRedis())
	q := streamqueue.New(client, nil)
	const jobs = 1001
	for n := range uint64(jobs) {
		q.Apply(0, model.Request{Op: model.OpEnqueue, ID: model.ID{NS: model.JOB, Value: n + 1}})
	}
	ctx := context.Background()
	if err := client.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "workers", Consumer: "worker", Streams: []string{"jobs", ">"}}).Err(); err != nil {
		t.Fatal(err)
	}
	q.Apply(model.Time(time.Minute), model.Request{Op: model.OpClaim, Lease: time.Minute})
	idle, err := client.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: "jobs", Group: "workers", Idle: time.Minute, Start: "-", End: "+", Count: 2 * jobs}).Result()
	if err != nil || len(idle) != jobs-1 || q.Err() != nil { // one is claimed again
		t.Errorf("%d of %d leases are over, %v, %v", len(idle), jobs-1, err, q.Err())
	}
}

// Who claims a fence is told that XACK has none.
func TestAConsumerGroupHasNoFence(t *testing.T) {
	found, err := simtest.NewQueue(t, embedded, simtest.Claims(queuetest.Fence)).Find()
	if err != nil || found == nil {
		t.Fatalf("%v, %v", found, err)
	}
	if n := len(found.Small.Story.Plan); found.Property != "stale-token-rejected" || n > 2 {
		t.Errorf("%s broke, by %d faults", found.Property, n)
	}
}

// careful has read about fencing tokens. It tells the store which delivery it is,
// leaves the job to a later one if there is one, and works.
func careful(ctx context.Context, job simtest.Job) error {
	newest, err := raise(ctx, job)
	if err != nil || !newest {
		return err // somebody else has the job, and will see to it
	}
	if err := job.Sleep(ctx, 10*time.Second); err != nil {
		return err
	}
	return job.Sink().ApplyKey(ctx, job.ID)
}

// raise keeps the token in the store, and reports whether it is the highest so far.
func raise(ctx context.Context, job simtest.Job) (newest bool, err error) {
	err = job.KV().Update(ctx, func(tx simtest.Tx) error {
		seen, _, err := tx.Get(job.ID)
		if newest = seen <= order(job.Token); err == nil && newest {
			tx.Put(job.ID, order(job.Token), 0)
		}
		return err
	})
	if errors.Is(err, simtest.ErrConflict) {
		return raise(ctx, job)
	}
	return newest, err
}

// order writes a token so that a later one is larger as text.
func order(token int64) string { return fmt.Sprintf("%06d", token) }

func TestACarefulConsumerIsRightOnAQueueWithAFence(t *testing.T) {
	simtest.CheckConsumer(t, careful, simtest.IgnoresContext())
	simtest.CheckConsumer(t, careful, simtest.IgnoresContext(), standstills)
}

// standstills are worlds in which workers stand still and die, and nothing else goes
// wrong.
var standstills = simtest.Chaos("pause w1 w2 rate=10% for=1s..90s", "crash w1 w2 rate=10% restart=1s..60s")

// story is the stale ack that takes the net away from below the new owner. w1 stands
// still in the middle of its first call until its lease is over and w2 has the job. It
// finds that it is late, does nothing, as it should, and returns nil. That is XACK,
// which takes the entry from the list of what is pending, though w2 has it; w2 has
// died, and nobody takes over.
var story = []string{
	"pause w1 before=read J1#1 for=45s",
	"crash w2 before=apply J1#2 restart=1ms",
}

// It is found in a random world, within 300, and shrunk to these two.
func TestOnAConsumerGroupItLosesJobs(t *testing.T) {
	q := simtest.NewQueue(t, embedded, simtest.Claims(streamqueue.Claims...), simtest.Consumes(careful),
		simtest.IgnoresContext(), standstills, simtest.Runs(300))
	found, err := q.Find()
	if err != nil || found == nil {
		t.Fatalf("%v, %v", found, err)
	}
	const why = "e1 admitted the job and e2 completed it, but the outside ledger never changed under it"
	if found.Property != "no-loss" || found.Why() != why {
		t.Errorf("%s broke: %s", found.Property, found.Why())
	}
	small := found.Small.Story
	var faults []string
	for _, e := range small.Plan {
		faults = append(faults, small.FaultText(e))
	}
	if !slices.Equal(faults, story) {
		t.Errorf("it was shrunk to %q, want %q, from world %d", faults, story, found.Seed)
	}
}

// One queue that is emptied and one that is new leave the same.
func TestTheSameSeedLeavesTheSameBytes(t *testing.T) {
	a := simtest.NewQueue(t, embedded, simtest.Claims(streamqueue.Claims...))
	for seed := range uint64(30) {
		b := simtest.NewQueue(t, embedded, simtest.Claims(streamqueue.Claims...))
		first, err := a.World(seed)
		if err != nil {
			t.Fatal(err)
		}
		then, err := b.World(seed)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := first.Outcome.History.Digest, then.Outcome.History.Digest; x != y {
			t.Fatalf("seed %d left %s and then %s", seed, x, y)
		}
	}
}

func BenchmarkWorlds(b *testing.B) {
	simtest.BenchQueue(b, embedded, simtest.Claims(streamqueue.Claims...))
}
