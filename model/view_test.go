package model_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/model"
)

const (
	theQueue model.Proc = 1
	thePump  model.Proc = 2
	anna     model.Proc = 3
	ben      model.Proc = 4
)

// full is an event in which nothing is zero, so that what a view leaves out shows.
func full(k model.Kind, p model.Proc) model.Event {
	return model.Event{
		At: 1500, Kind: k, Proc: p, Peer: 9, Op: model.OpClaim, Step: model.StepApply, Answer: model.OK, Cause: model.ByFault,
		Job: 7, ID: model.ID{Value: 8}, N: 2, Nth: 3, Call: 40, Token: 5, Server: 1000, Until: 6000, Skew: 10, Max: 11, Moved: 12,
		Dead: 13, Effect: 14, Flags: model.IsCopy | model.IsLate | model.IsFound | model.IsRaw,
	}
}

func historyOf(events ...model.Event) *model.History {
	h := &model.History{}
	for _, e := range events {
		h.Add(e, nil)
	}
	return h
}

// The queue has what a request says, what it answered and its own clock: neither the
// true time nor the count of deliveries.
func TestTheQueueSeesRequestsByItsOwnClock(t *testing.T) {
	want := model.View{{
		At: 1000, Kind: model.Applied, Proc: anna, Op: model.OpClaim, Answer: model.OK, Job: 7, ID: model.ID{Value: 8},
		Token: 5, Server: 1000, Until: 6000, Max: 11, Moved: 12, Dead: 13,
	}}
	got := historyOf(full(model.Applied, anna)).QueueView(theQueue, 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A worker has what it sent, did and was told by its own clock, and numbers its own
// calls.
func TestAWorkerSeesItsOwnDoings(t *testing.T) {
	want := model.Event{
		At: 1500, Kind: model.Answered, Proc: anna, Op: model.OpClaim, Step: model.StepApply, Answer: model.OK, Cause: model.ByFault,
		Job: 7, ID: model.ID{Value: 8}, Call: 1, Token: 5, Until: 6000, Max: 11, Flags: model.IsLate | model.IsFound,
	}
	got := historyOf(full(model.Answered, anna)).WorkerView(anna, 1)
	if diff := cmp.Diff(model.View{want}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var calls []int32
	var events []model.Event
	for _, call := range []int32{40, 0, 7, 40, 3} {
		e := full(model.Sent, anna)
		e.Call = call
		events = append(events, e)
	}
	for _, e := range historyOf(events...).WorkerView(anna, 5) {
		calls = append(calls, e.Call)
	}
	if diff := cmp.Diff([]int32{1, 0, 2, 1, 3}, calls); diff != "" {
		t.Errorf("its calls (-want +got):\n%s", diff)
	}
}

// Of each kind of record, who sees it.
func TestWhoSeesWhat(t *testing.T) {
	type sees struct{ queue, worker, other bool }
	call := func(k model.Kind) model.Event { return full(k, anna) }
	step := func(k model.Kind) model.Event { e := full(k, anna); e.Call = 0; return e }
	answered := func(a model.Answer, op model.Op) model.Event {
		e := full(model.Applied, anna)
		e.Answer, e.Op = a, op
		return e
	}
	for _, c := range []struct {
		what  string
		event model.Event
		want  sees
	}{
		{"a request that arrived", call(model.Applied), sees{queue: true}},
		{"one of the pump", full(model.Applied, thePump), sees{queue: true}},
		{"a claim that got nothing", answered(model.Empty, model.OpClaim), sees{}},
		{"a look at the pause", answered(model.OK, model.OpReadPause), sees{}},
		{"the queue is back", full(model.Restarted, theQueue), sees{queue: true}},
		{"the queue is gone", full(model.Crashed, theQueue), sees{}},
		{"a request that left", call(model.Sent), sees{worker: true}},
		{"an answer", call(model.Answered), sees{worker: true}},
		{"no answer", call(model.TimedOut), sees{worker: true}},
		{"the job is in", call(model.Admitted), sees{worker: true}},
		{"a handler failed", call(model.Failed), sees{worker: true}},
		{"it is back", call(model.Restarted), sees{worker: true}},
		{"it looked for a marker", step(model.Checked), sees{worker: true}},
		{"it wrote one", step(model.Marked), sees{worker: true}},
		{"it had its effect", step(model.Effected), sees{worker: true}},
		{"it changed nothing", step(model.Absorbed), sees{worker: true}},
		{"a service that it called had an effect", call(model.Effected), sees{}},
		{"a service that it called changed nothing", call(model.Absorbed), sees{}},
		{"a message was lost", call(model.Lost), sees{}},
		{"it crashed", call(model.Crashed), sees{}},
		{"it stood still", call(model.Paused), sees{}},
		{"it woke", call(model.Woke), sees{}},
		{"its heartbeat stalled", call(model.Stalled), sees{}},
		{"its link was cut", call(model.Cut), sees{}},
		{"and healed", call(model.Healed), sees{}},
		{"its clock was set", call(model.ClockSet), sees{}},
		{"the end", full(model.Ended, model.NoProc), sees{}},
	} {
		h := historyOf(c.event)
		saw := func(p model.Proc) bool { v, _ := h.Seen(p, theQueue, 1); return len(v) == 1 }
		if got := (sees{saw(theQueue), saw(anna), saw(ben)}); got != c.want {
			t.Errorf("%s: seen by %+v, want %+v", c.what, got, c.want)
		}
	}
}

// A view ends with the record it is asked for, and knows where its records are from.
func TestAViewEndsWhereItIsAsked(t *testing.T) {
	h := historyOf(full(model.Sent, anna), full(model.Applied, anna), full(model.Answered, anna), full(model.Applied, ben))
	for until, want := range [][]int32{nil, nil, {2}, {2}, {2, 4}} {
		if _, got := h.Seen(theQueue, theQueue, int32(until)); cmp.Diff(want, got) != "" {
			t.Errorf("until %d: %v, want %v", until, got, want)
		}
	}
	if _, got := h.Seen(anna, theQueue, 4); cmp.Diff([]int32{1, 3}, got) != "" {
		t.Errorf("the worker's: %v", got)
	}
}

// Views that begin alike are equal as far as they do.
func TestViewsAreEqualRecordByRecord(t *testing.T) {
	a, b, c := full(model.Applied, anna), full(model.Applied, ben), full(model.Sent, anna)
	for _, c := range []struct {
		v, o   model.View
		common int
		equal  bool
	}{
		{nil, nil, 0, true},
		{model.View{a}, nil, 0, false},
		{model.View{a}, model.View{a}, 1, true},
		{model.View{a}, model.View{a, b}, 1, false},
		{model.View{a, b}, model.View{a, c}, 1, false},
		{model.View{b, a}, model.View{a, b}, 0, false},
		{model.View{a, b, c}, model.View{a, b, c}, 3, true},
	} {
		if got, back := c.v.Common(c.o), c.o.Common(c.v); got != c.common || back != c.common {
			t.Errorf("%d and %d records begin with %d and %d alike, want %d", len(c.v), len(c.o), got, back, c.common)
		}
		if c.v.Equal(c.o) != c.equal || (c.v.Digest() == c.o.Digest()) != c.equal {
			t.Errorf("%d and %d records: equal is %v, want %v", len(c.v), len(c.o), !c.equal, c.equal)
		}
	}
}
