package storm

import (
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	_ "github.com/ackgap/ackgap/scenarios" // links EchoMQ
)

// Of three jobs that are taken at once the second lapses in the buffer and is pending
// again, before it is handed out all the same.
func TestWhatBefallsAJobInTheBufferIsToldWhenItLeaves(t *testing.T) {
	body, _ := model.FindBody("echomq", "go")
	opened, err := open(body, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	q := opened.(*prefetcher)
	for i := range 3 {
		q.Apply(0, model.Request{Op: model.OpEnqueue, ID: model.ID{NS: model.JOB, Value: uint64(i + 1)}})
	}
	claim := model.Request{Op: model.OpClaim, Lease: time.Second}
	first := q.Apply(0, claim)
	if first.ID.Value != 1 || len(q.Touched()) != 1 || q.Touched()[0].After.Sets != model.InActive {
		t.Errorf("the first claim got %v and touched %+v, and should have touched the job that it handed out, and no other", first, q.Touched())
	}
	if id, ok := q.Peek(0); !ok || id.Value != 2 {
		t.Errorf("next is %v, and should be the second job, which waits in the buffer", id)
	}
	late := model.Time(2 * time.Second)
	if r := q.Apply(late, model.Request{Op: model.OpReap}); r.Moved != 3 || len(q.Touched()) != 1 {
		t.Errorf("reap moved %d and told of %+v; three lapsed, and two of them are in the buffer", r.Moved, q.Touched())
	}
	second := q.Apply(late, claim)
	if second.ID.Value != 2 || second.Until != first.Until {
		t.Errorf("the second claim got %v until %v; the lease runs from when it was taken", second.ID, second.Until)
	}
	if told := q.Touched(); len(told) != 1 || told[0].Before.Sets != model.InPending || told[0].After.Sets != model.InPending || told[0].After.Attempts != 1 {
		t.Errorf("it told %+v; the job is pending again, claimed once", told)
	}
}
