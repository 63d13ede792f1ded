package echomq_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// What the host library would not put on the wire is refused with the reason and
// the way out, and changes nothing.
func TestBadRequestsAreRefused(t *testing.T) {
	max := time.Duration(1<<63 - 1)
	lower := model.ID{NS: [3]byte{'j', 'o', 'b'}, Value: 1}
	tooLarge := model.ID{NS: model.JOB, Value: 1 << 63}
	cases := []struct {
		says string
		req  model.Request
	}{
		{`"none" is no verb`, model.Request{}},
		{`"apply" is no verb`, model.Request{Op: model.OpApply, ID: j1}},
		{`"invalid" is no verb`, model.Request{Op: model.OpDrain + 1, ID: j1}},
		{`enqueue: namespace "\x00\x00\x00" with value 0 is no branded id`, model.Request{Op: model.OpEnqueue}},
		{`complete: namespace "job" with value 1`, model.Request{Op: model.OpComplete, ID: lower}},
		{`remove: namespace "JOB" with value 9223372036854775808`, model.Request{Op: model.OpRemove, ID: tooLarge}},
		{`extend-batch: namespace "job"`, model.Request{Op: model.OpExtendBatch, Lease: 1, Batch: []model.Holding{{ID: j1}, {ID: lower}}}},
		{`claim: lease 0s is too short; the least is 1ns`, model.Request{Op: model.OpClaim}},
		{`claim-batch: lease -1s is too short`, model.Request{Op: model.OpClaimBatch, Lease: -time.Second}},
		{`extend: lease 0s is too short`, model.Request{Op: model.OpExtend, ID: j1}},
		{`extend-batch: lease 0s is too short`, model.Request{Op: model.OpExtendBatch}},
		{`claim: lease 2562047h47m16.854775807s ends beyond the end of time`, model.Request{Op: model.OpClaim, Lease: max}},
		{`enqueue-in: delay -1ns is too short; the least is 0s`, model.Request{Op: model.OpEnqueueIn, ID: j1, Delay: -1}},
		{`retry: delay -1ns is too short`, model.Request{Op: model.OpRetry, ID: j1, Delay: -1}},
		{`delay: delay 2562047h47m16.854775807s ends beyond`, model.Request{Op: model.OpDelay, ID: j1, Delay: max}},
		{`enqueue-at: instant -9223372036.854775808s is before the beginning of time`, model.Request{Op: model.OpEnqueueAt, ID: j1, At: -1 << 63}},
		{`delay-at: instant -9223372036.854775808s is before`, model.Request{Op: model.OpDelayAt, ID: j1, At: -1 << 63}},
		{`reap: limit -1 is below 0; 0 is the verb's own limit`, model.Request{Op: model.OpReap, Limit: -1}},
		{`claim-batch: limit -1`, model.Request{Op: model.OpClaimBatch, Lease: 1, Limit: -1}},
	}
	q := open(t, "")
	q.Apply(0, enqueue(j1))
	before := string(q.AppendState(nil))
	for _, c := range cases {
		reply := q.Apply(1e9, c.req)
		if reply.Answer != model.UnknownAnswer || !strings.Contains(reply.Err, c.says) {
			t.Errorf("answered %s %q, want unknown with %q", reply.Answer, reply.Err, c.says)
		}
		diff(t, c.says, before, string(q.AppendState(nil)))
	}
}

// A field that the verb does not name is not read, so it cannot be wrong.
func TestFieldsThatAVerbDoesNotNameAreNotRead(t *testing.T) {
	q := open(t, "")
	req := enqueue(j1)
	req.Lease, req.Delay, req.Limit, req.Batch = -1, -1, -1, []model.Holding{{}}
	if reply := q.Apply(0, req); reply.Answer != model.Enqueued {
		t.Errorf("answered %s %q, want enqueued", reply.Answer, reply.Err)
	}
}

func TestEnqueueManyAnswersItemByItem(t *testing.T) {
	q := open(t, "")
	other := model.ID{NS: [3]byte{'U', 'S', 'R'}, Value: 1}
	replies, err := echomq.EnqueueMany(q, 0, []model.Request{enqueue(j2), enqueue(j1), enqueue(j2), enqueue(other)})
	if err != nil {
		t.Fatal(err)
	}
	var got []model.Answer
	for _, r := range replies {
		got = append(got, r.Answer)
	}
	diff(t, "answers", []model.Answer{model.Enqueued, model.Enqueued, model.Duplicate, model.WrongKind}, got)
}

func TestEnqueueManyOfNothingIsAnError(t *testing.T) {
	_, err := echomq.EnqueueMany(open(t, ""), 0, nil)
	if err == nil || !strings.Contains(err.Error(), "the list is empty; give at least one job") {
		t.Errorf("got %v", err)
	}
}

func TestEnqueueManySendsNothingIfAVerbIsNoEnqueue(t *testing.T) {
	q := open(t, "")
	_, err := echomq.EnqueueMany(q, 0, []model.Request{enqueue(j1), claim})
	if err == nil || !strings.Contains(err.Error(), `item 1 is "claim"; only enqueues`) {
		t.Errorf("got %v", err)
	}
	diff(t, "rows", 0, len(q.Snapshot().Rows))
}

// It is not atomic: what went before the bad item is done, as built.
func TestEnqueueManyStopsAtAnUnexpectedAnswer(t *testing.T) {
	q := open(t, "")
	replies, err := echomq.EnqueueMany(q, 0, []model.Request{enqueue(j1), enqueue(model.ID{}), enqueue(j2)})
	if err == nil || !strings.Contains(err.Error(), "item 1 of 3") {
		t.Errorf("got %v", err)
	}
	diff(t, "replies", 2, len(replies))
	diff(t, "rows", 1, len(q.Snapshot().Rows))
}
