package echomq_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

var (
	j1 = model.ID{NS: model.JOB, Value: 1}
	j2 = model.ID{NS: model.JOB, Value: 2}
)

func open(t *testing.T, variant string) *echomq.Queue {
	t.Helper()
	q, err := echomq.New(variant)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func drawVariant(t *rapid.T) string {
	body, _ := model.FindBody("echomq", "go")
	i := rapid.IntRange(0, len(body.Variants)).Draw(t, "variant")
	if i == 0 {
		return ""
	}
	return body.Variants[i-1].Name
}

func enqueue(id model.ID) model.Request {
	return model.Request{Op: model.OpEnqueue, ID: id, Payload: "a"}
}

var (
	claim      = model.Request{Op: model.OpClaim, Lease: 30 * time.Second}
	completeJ1 = model.Request{Op: model.OpComplete, ID: j1, Token: 1}
)

func TestTouchedTellsWhereAJobStoodAndStands(t *testing.T) {
	q := open(t, "")
	waiting := model.Standing{Sets: model.InPending, Fields: model.FullRow}
	held := model.Standing{Sets: model.InActive, Fields: model.FullRow, Attempts: 1, Deadline: model.Time(30 * time.Second)}

	q.Apply(0, enqueue(j1))
	diff(t, "enqueue", []model.Touch{{ID: j1, After: waiting}}, q.Touched())
	q.Apply(0, claim)
	diff(t, "claim", []model.Touch{{ID: j1, Before: waiting, After: held}}, q.Touched())
	q.Apply(0, completeJ1)
	diff(t, "complete", []model.Touch{{ID: j1, Before: held}}, q.Touched())
}

func TestTouchedLeavesOutWhatDidNotChange(t *testing.T) {
	q := open(t, "")
	q.Apply(0, enqueue(j1))
	q.Apply(0, claim)
	for _, req := range []model.Request{
		enqueue(j1),                              // duplicate
		{Op: model.OpComplete, ID: j1, Token: 2}, // stale
		{Op: model.OpExtend, ID: j1, Token: 1, Lease: claim.Lease}, // to the deadline that it has
		{Op: model.OpUpdateData, ID: j1, Payload: "a"},             // to the payload that it has
		{Op: model.OpReap}, {Op: model.OpPause}, {Op: model.OpNone}, // nothing due, no job, no verb
		{Op: model.OpEnqueue, ID: model.ID{NS: [3]byte{'U', 'S', 'R'}}}, // kind
	} {
		q.Apply(0, req)
		diff(t, req.Op.String(), []model.Touch(nil), q.Touched())
	}
}

// J1 stands in pending and in schedule, and one drain takes it out of both.
func TestTouchedListsAnIDOnceThoughItChangedTwice(t *testing.T) {
	q := open(t, "")
	q.Apply(0, enqueue(j1))
	q.Apply(0, model.Request{Op: model.OpDelayAt, ID: j1, Token: 0, At: 1e6})
	q.Apply(0, model.Request{Op: model.OpDrain, All: true})
	was := model.Standing{Sets: model.InPending | model.InSchedule, Fields: model.FullRow, RunAt: 1e6}
	diff(t, "drain", []model.Touch{{ID: j1, Before: was}}, q.Touched())
}

// The payload is in no Standing, and still it is the job's row that changed.
func TestTouchedListsAChangeThatStandingDoesNotShow(t *testing.T) {
	q := open(t, "")
	q.Apply(0, enqueue(j1))
	q.Apply(0, model.Request{Op: model.OpUpdateData, ID: j1, Payload: "b"})
	waiting := model.Standing{Sets: model.InPending, Fields: model.FullRow}
	diff(t, "update-data", []model.Touch{{ID: j1, Before: waiting, After: waiting}}, q.Touched())
}

func TestTouchedKeepsTheOrderOfChanges(t *testing.T) {
	q := open(t, "")
	q.Apply(0, enqueue(j2))
	q.Apply(0, model.Request{Op: model.OpEnqueueAt, ID: j1, At: 0})
	q.Apply(0, model.Request{Op: model.OpDrain, All: true})
	got := q.Touched()
	if len(got) != 2 || got[0].ID != j2 || got[1].ID != j1 {
		t.Errorf("touched %+v, want J2 of pending before J1 of schedule", got)
	}
}

func TestPeekSaysWhomAClaimWillServe(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := drawVariant(rt)
		q := open(t, v)
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			q.Apply(0, drawRequest(rt, rapid.SampledFrom(peekable).Draw(rt, "op"), 0))
			peeked, ok := q.Peek(0)
			reply := q.Clone().Apply(0, claim)
			if ok != (reply.Answer == model.OK) || peeked != reply.ID {
				rt.Fatalf("%q: peeked %s, %v; the claim was answered %s %s", v, peeked, ok, reply.Answer, reply.ID)
			}
		}
	})
}

var peekable = []model.Op{model.OpEnqueue, model.OpClaim, model.OpPause, model.OpReap, model.OpRetry, model.OpPromote}

// A clone goes its own way: whatever is asked of it, the original stands as it
// stood, and whatever is asked of both, both do.
func TestCloneIsIndependentAndEqual(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		q := open(t, drawVariant(rt))
		steps := rapid.SliceOfN(rapid.SampledFrom(flatOps()), 1, 20)
		for _, op := range steps.Draw(rt, "before") {
			q.Apply(0, drawRequest(rt, op, 0))
		}
		kept := string(q.AppendState(nil))
		c, twin := q.Clone().(*echomq.Queue), q.Clone().(*echomq.Queue)
		for _, op := range steps.Draw(rt, "after") {
			req := drawRequest(rt, op, 0)
			want, got := c.Apply(50e6, req), twin.Apply(50e6, req)
			diff(rt, "reply of the twin", want, got)
			diff(rt, "touched of the twin", c.Touched(), twin.Touched())
		}
		diff(rt, "the original's state", kept, string(q.AppendState(nil)))
		diff(rt, "the twin's state", c.AppendState(nil), twin.AppendState(nil))
	})
}

func flatOps() []model.Op {
	var ops []model.Op
	for op := model.OpEnqueue; op <= model.OpDrain; op++ {
		if op != model.OpApply {
			ops = append(ops, op)
		}
	}
	return ops
}

func TestResetQueueIsANewOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := drawVariant(rt)
		q, fresh := open(t, v), open(t, v)
		ops := rapid.SliceOfN(rapid.SampledFrom(flatOps()), 1, 20)
		for _, op := range ops.Draw(rt, "before") {
			q.Apply(0, drawRequest(rt, op, 0))
		}
		q.Reset()
		diff(rt, "touched", 0, len(q.Touched()))
		for _, op := range ops.Draw(rt, "after") {
			req := drawRequest(rt, op, 0)
			diff(rt, "reply", fresh.Apply(0, req), q.Apply(0, req))
		}
		diff(rt, "state", fresh.AppendState(nil), q.AppendState(nil))
		diff(rt, "snapshot", fresh.Snapshot(), q.Snapshot())
	})
}

// How a state was reached does not show in its encoding; each part of it does.
func TestStatesAreEqualWhenTheirBytesAre(t *testing.T) {
	state := func(variant string, reqs ...model.Request) string {
		q := open(t, variant)
		for _, req := range reqs {
			q.Apply(0, req)
		}
		return string(q.AppendState(nil))
	}
	remove := model.Request{Op: model.OpRemove, ID: j2}
	same := [][2]string{
		{state("", enqueue(j1), enqueue(j2)), state("", enqueue(j2), enqueue(j1))},
		{state("", enqueue(j2), enqueue(j1), remove), state("", enqueue(j1))},
		{state("", model.Request{Op: model.OpPause}, model.Request{Op: model.OpResume}), state("")},
	}
	for i, s := range same {
		if s[0] != s[1] {
			t.Errorf("pair %d is one state with two encodings:\n%q\n%q", i, s[0], s[1])
		}
	}
	short := claim
	short.Lease = time.Second
	differ := []string{
		state(""), state("", enqueue(j1)), state("", enqueue(j2)),
		state("", enqueue(j1), claim), state("", enqueue(j1), short), state("", enqueue(j1), claim, completeJ1),
		state("", model.Request{Op: model.OpEnqueue, ID: j1}), state("", model.Request{Op: model.OpEnqueueAt, ID: j1, Payload: "a"}),
		state("", model.Request{Op: model.OpEnqueueAt, ID: j1, Payload: "a", At: 1e6}),
		state("", model.Request{Op: model.OpPause}),
		state("claim-ignores-pending", enqueue(j1), enqueue(j2), claim), state("", enqueue(j1), enqueue(j2), claim),
		state("early-expiry", enqueue(j1), claim),
		state("resurrect", enqueue(j1), claim, completeJ1),
	}
	for i, a := range differ {
		for j, b := range differ[:i] {
			if a == b {
				t.Errorf("states %d and %d differ and share the encoding %q", j, i, a)
			}
		}
	}
}

// AppendState appends: what stands in the slice stays.
func TestAppendStateAppends(t *testing.T) {
	q := open(t, "")
	q.Apply(0, enqueue(j1))
	diff(t, "bytes", "x"+string(q.AppendState(nil)), string(q.AppendState([]byte("x"))))
}
