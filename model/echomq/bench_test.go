package echomq_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// backlog returns a queue with n jobs in pending.
func backlog(tb testing.TB, n uint64) *echomq.Queue {
	q, err := echomq.New("")
	if err != nil {
		tb.Fatal(err)
	}
	for v := range n {
		q.Apply(0, model.Request{Op: model.OpEnqueue, ID: model.ID{NS: model.JOB, Value: v + 1}})
	}
	return q
}

// life takes one new job in and the oldest one out.
func life(tb testing.TB, q *echomq.Queue, v uint64) {
	in := q.Apply(0, model.Request{Op: model.OpEnqueue, ID: model.ID{NS: model.JOB, Value: v}, Payload: "payload"})
	got := q.Apply(0, model.Request{Op: model.OpClaim, Lease: 30 * time.Second})
	out := q.Apply(0, model.Request{Op: model.OpComplete, ID: got.ID, Token: got.Token})
	if in.Answer != model.Enqueued || out.Answer != model.OK {
		tb.Fatalf("answered %s, %s, %s", in.Answer, got.Answer, out.Answer)
	}
}

func BenchmarkLife(b *testing.B) {
	for _, n := range []uint64{0, 1000} {
		b.Run(fmt.Sprint("backlog=", n), func(b *testing.B) {
			q := backlog(b, n)
			b.ReportAllocs()
			for v := n; b.Loop(); {
				v++
				life(b, q, v)
			}
		})
	}
}

func TestALifeAllocatesNothing(t *testing.T) {
	q, v := backlog(t, 100), uint64(100)
	if n := testing.AllocsPerRun(1000, func() { v++; life(t, q, v) }); n != 0 {
		t.Errorf("enqueue, claim and complete allocate %v times", n)
	}
}

// The ways back cost nothing either: a job goes from claim through reap, retry,
// promote, extend, sweep and reprocess to remove.
func TestTheWaysBackAllocateNothing(t *testing.T) {
	q, now := backlog(t, 0), model.Time(0)
	ask := func(want model.Answer, req model.Request) {
		now = now.Add(time.Minute)
		if got := q.Apply(now, req); got.Answer != want {
			t.Fatalf("%s was answered %s %s, want %s", req.Op, got.Answer, got.Err, want)
		}
		if _, ok := q.Peek(now); ok != (len(q.Touched()) == 1 && q.Touched()[0].After.Sets == model.InPending) {
			t.Fatalf("after %s peek says %v, touched %v", req.Op, ok, q.Touched())
		}
	}
	round := func() {
		ask(model.Enqueued, enqueue(j1))
		ask(model.OK, claim)
		ask(model.OK, model.Request{Op: model.OpReap})
		ask(model.OK, claim)
		ask(model.Scheduled, model.Request{Op: model.OpRetry, ID: j1, Token: 2, Max: 3, Error: "boom"})
		ask(model.OK, model.Request{Op: model.OpPromote})
		ask(model.OK, claim)
		ask(model.OK, model.Request{Op: model.OpExtend, ID: j1, Token: 3, Lease: time.Second})
		ask(model.OK, model.Request{Op: model.OpSweep, Max: 1})
		ask(model.OK, model.Request{Op: model.OpReprocess, ID: j1})
		ask(model.OK, model.Request{Op: model.OpRemove, ID: j1})
	}
	if n := testing.AllocsPerRun(1000, round); n != 0 {
		t.Errorf("one round allocates %v times", n)
	}
}
