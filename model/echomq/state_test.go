package echomq_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
	"github.com/ackgap/ackgap/model/internal/bare"
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

// drawVariant draws the queue as built or one that keeps a state of its own.
func drawVariant(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		"", "hardened", "lifo", "resurrect", "phantom-duplicate", "claim-ignores-pending", "early-expiry",
		"rescue-overwrites", "prefetch-expires", "pop-then-mark",
	}).Draw(t, "variant")
}

// busy draws requests that keep two jobs on the move.
func busy() *rapid.Generator[model.Request] {
	reqs := []model.Request{
		enqueue(j1), enqueue(j2), claim, claim,
		{Op: model.OpPromote}, {Op: model.OpReap}, {Op: model.OpSweep, Max: 2}, {Op: model.OpPause}, {Op: model.OpDrain},
	}
	for _, id := range []model.ID{j1, j2} {
		reqs = append(reqs, model.Request{Op: model.OpRemove, ID: id})
		for token := range model.Token(3) {
			reqs = append(reqs,
				model.Request{Op: model.OpComplete, ID: id, Token: token},
				model.Request{Op: model.OpRetry, ID: id, Token: token, Max: 2},
				model.Request{Op: model.OpExtend, ID: id, Token: token, Lease: 1})
		}
	}
	return rapid.SampledFrom(reqs)
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
		q := open(t, drawVariant(rt))
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			q.Apply(0, busy().Draw(rt, "request"))
			peeked, ok := q.Peek(0)
			reply := q.Clone().Apply(0, claim)
			if ok != (reply.Answer == model.OK) || peeked != reply.ID {
				rt.Fatalf("peeked %s, %v; the claim was answered %s %s", peeked, ok, reply.Answer, reply.ID)
			}
		}
	})
}

// recorded is a queue together with all that was asked of it.
type recorded struct {
	*echomq.Queue
	variant string
	asked   []model.Request
}

func (r *recorded) ask(req model.Request) {
	r.asked = append(r.asked, req)
	r.Apply(0, req)
}

func (r *recorded) clone() *recorded {
	return &recorded{r.Queue.Clone().(*echomq.Queue), r.variant, slices.Clone(r.asked)}
}

// stands compares the queue with one that was asked the same from the start.
func (r *recorded) stands(t *testing.T, rt *rapid.T) {
	fresh := open(t, r.variant)
	for _, req := range r.asked {
		fresh.Apply(0, req)
	}
	diff(rt, "state", fresh.AppendState(nil), r.AppendState(nil))
	diff(rt, "snapshot", fresh.Snapshot(), r.Snapshot())
	diff(rt, "touched", fresh.Touched(), r.Touched())
}

// From the moment of cloning on, each of the two goes its own way.
func TestCloneIsEqualAndIndependent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		variant := drawVariant(rt)
		q := &recorded{Queue: open(t, variant), variant: variant}
		for range rapid.IntRange(1, 30).Draw(rt, "steps before") {
			q.ask(busy().Draw(rt, "request"))
		}
		c := q.clone()
		diff(rt, "the clone's touched", 0, len(c.Touched()))
		for range rapid.IntRange(1, 30).Draw(rt, "steps after") {
			q.ask(busy().Draw(rt, "request of the original"))
			c.ask(busy().Draw(rt, "request of the clone"))
			q.stands(t, rt)
			c.stands(t, rt)
		}
	})
}

func TestAResetQueueIsANewOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		variant := drawVariant(rt)
		q := &recorded{Queue: open(t, variant), variant: variant}
		for range rapid.IntRange(1, 40).Draw(rt, "steps before") {
			q.Apply(0, busy().Draw(rt, "request"))
		}
		q.Reset()
		q.stands(t, rt)
		for range rapid.IntRange(0, 20).Draw(rt, "steps after") {
			q.ask(busy().Draw(rt, "request"))
			q.stands(t, rt)
		}
	})
}

// stateAfter plays the script, steps parted by semicolons, and returns the
// encoding of what it leaves.
func stateAfter(t *testing.T, variant, script string) string {
	t.Helper()
	q := open(t, variant)
	for step := range strings.SplitSeq(script, ";") {
		bare.Play(t, q, step)
	}
	return string(q.AppendState(nil))
}

// How a state was reached does not show in its encoding.
func TestEqualStatesHaveEqualBytes(t *testing.T) {
	for _, c := range []struct{ variant, one, other string }{
		{"", "0s enqueue J1; 0s enqueue J2", "0s enqueue J2; 0s enqueue J1"},
		{"", "0s enqueue J2; 0s enqueue J1; 0s remove J2", "0s enqueue J1"},
		{"", "0s pause; 0s resume", "0s resume"},
		{"", "0s enqueue J1; 0s claim lease=5s; 1s extend J1 token=1 lease=4s", "0s enqueue J1; 0s claim lease=5s"},
		{"early-expiry", "0s enqueue J1; 0s extend J1 token=0 lease=1s; 1s reap", "0s enqueue J1"},
	} {
		diff(t, c.one+" / "+c.other, stateAfter(t, c.variant, c.one), stateAfter(t, c.variant, c.other))
	}
}

// Each pair differs in the one thing that is named.
func TestUnequalStatesHaveUnequalBytes(t *testing.T) {
	inTwoSets := "0s enqueue J1; 0s delay J1 token=0 delay=1h"
	lapse := "; 0s extend J1 token=0 lease=1s; 1s sweep max=9"
	for _, c := range []struct{ what, variant, one, other string }{
		{"id", "", "0s enqueue J1", "0s enqueue J2"},
		{"set", "", "0s enqueue J1; 0s delay J1 token=0", "0s enqueue-in J1"},
		{"attempts", "", "0s enqueue J1; 0s claim; 30s reap", "0s enqueue J1"},
		{"state", "", inTwoSets + "; 0s extend J1 token=0 lease=1s; 1s reap", inTwoSets + "; 1s reap"},
		{"payload", "", "0s enqueue J1 payload=a", "0s enqueue J1 payload=b"},
		{"where the payload ends", "", "0s enqueue J1 payload=a; 0s retry J1 token=0 error=bc", "0s enqueue J1 payload=ab; 0s retry J1 token=0 error=c"},
		{"an empty error or none", "", "0s enqueue-in J1; 0s retry J1 token=0", "0s enqueue-in J1"},
		{"lapses", "", "0s enqueue J1" + lapse, "0s enqueue J1" + lapse + lapse},
		{"deadline", "", "0s enqueue J1; 0s claim lease=1s", "0s enqueue J1; 0s claim lease=2s"},
		{"run-at", "", "0s enqueue-at J1 at=1s", "0s enqueue-at J1 at=2s"},
		{"pause", "", "0s pause", "0s resume"},
		{"completed", "", "0s enqueue J1; 0s complete J1 token=0", "0s enqueue J1; 0s remove J1"},
		{"failed", "", "0s enqueue J1; 0s retry J1 token=0 max=0; 0s remove J1", "0s enqueue J1; 0s remove J1"},
		{"whose turn it is to be missed", "claim-ignores-pending", "0s enqueue J1; 0s claim; 0s enqueue J2; 0s claim", "0s enqueue J1; 0s claim; 0s enqueue J2"},
		{"how long the lease is", "early-expiry", "0s enqueue J1; 0s claim lease=2s", "0s enqueue J1; 0s claim lease=1s; 1s extend J1 token=1 lease=1s"},
		{"which id is remembered", "phantom-duplicate", "0s enqueue J1; 0s complete J1 token=0", "0s enqueue J2; 0s complete J2 token=0"},
		{"what is remembered of it", "resurrect", "0s enqueue J1 payload=a; 0s complete J1 token=0", "0s enqueue J1 payload=b; 0s complete J1 token=0"},
	} {
		if one := stateAfter(t, c.variant, c.one); one == stateAfter(t, c.variant, c.other) {
			t.Errorf("%s does not show in %q", c.what, one)
		}
	}
}

// AppendState appends: what stands in the slice stays.
func TestAppendStateAppends(t *testing.T) {
	q := open(t, "")
	q.Apply(0, enqueue(j1))
	diff(t, "bytes", "x"+string(q.AppendState(nil)), string(q.AppendState([]byte("x"))))
}
