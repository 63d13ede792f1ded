package echomq

import (
	"github.com/ackgap/ackgap/model"
)

// Queue is one EchoMQ queue. Apply is its only transition; everything else
// reads. It is not safe for concurrent use.
//
// Apply allocates nothing once the queue has been as full as it gets, but for
// the two batch verbs: their Reply.Batch is the caller's to keep.
type Queue struct {
	rules rules
	table table
	sets  [setCount]zset

	paused            bool
	completed, failed int

	past     []remembered // phantom-duplicate and resurrect only
	found    []remembered // rescue-overwrites only: what its last reap found lapsed, by id
	buffer   model.Grant  // prefetch-expires only: what the next claim is served, or nothing
	minted   model.Token  // hardened only: the highest token that was given, of any job
	outlasts bool         // see Untimed
	isHiding bool         // claim-ignores-pending only: the next claim is answered empty

	stamp   uint64 // counts Applies
	before  []before
	touched []model.Touch
}

// before is an entry as it stood when the present Apply touched it first.
type before struct {
	slot int32
	row
	place
}

var _ interface {
	model.Queue
	model.Toucher
	model.Peeker
	model.Snapshotter
	model.Resetter
	model.Cloner
	model.StateAppender
} = (*Queue)(nil)

// New returns an empty queue of the named variant, "" for EchoMQ as built. An
// unknown name is an error that lists the known ones.
func New(variant string) (*Queue, error) {
	r, err := findRules(variant)
	if err != nil {
		return nil, err
	}
	return &Queue{rules: r}, nil
}

// Apply carries out one request at the server instant now, which is rounded down
// to a whole millisecond. A request that CheckRequest refuses, and a verb that
// is not EchoMQ's, is answered UnknownAnswer with the reason in Err and changes
// nothing.
func (q *Queue) Apply(now model.Time, req model.Request) (reply model.Reply) {
	q.begin()
	now = now.FloorMillis()
	if err := CheckRequest(now, &req); err != nil {
		return model.Reply{Answer: model.UnknownAnswer, Err: err.Error()}
	}
	reply.Answer = q.do(now, &req, &reply)
	q.finish()
	return reply
}

// do is the table of verbs. CheckRequest has refused all others. What a verb says
// besides its answer it writes into the reply, which is empty.
func (q *Queue) do(now model.Time, req *model.Request, reply *model.Reply) model.Answer {
	switch req.Op {
	case model.OpEnqueue:
		return q.admit(req, reply, statePending, pending, 0)
	case model.OpEnqueueAt:
		return q.admit(req, reply, stateScheduled, schedule, req.At.FloorMillis())
	case model.OpEnqueueIn:
		return q.admit(req, reply, stateScheduled, schedule, after(now, req.Delay))
	case model.OpClaim:
		return q.claim(now, req, reply)
	case model.OpClaimBatch:
		return q.claimBatch(now, req, reply)
	case model.OpComplete:
		return q.complete(now, req)
	case model.OpRetry:
		return q.retry(now, req, reply)
	case model.OpDelay:
		return q.delay(now, req, reply, after(now, req.Delay))
	case model.OpDelayAt:
		return q.delay(now, req, reply, req.At.FloorMillis())
	case model.OpExtend:
		return q.extend(now, req, reply)
	case model.OpExtendBatch:
		return q.extendBatch(now, req, reply)
	case model.OpPromote:
		return q.promote(now, req, reply)
	case model.OpReap:
		return q.reap(now, req, reply)
	case model.OpSweep:
		return q.sweep(now, req, reply)
	case model.OpRemove:
		return q.remove(req)
	case model.OpReprocess:
		return q.reprocess(req)
	case model.OpUpdateData:
		return q.updateData(req)
	case model.OpPause, model.OpResume:
		q.paused = req.Op == model.OpPause
		return model.OK
	case model.OpReadPause:
		return q.readPause()
	case model.OpDrain:
		return q.drain(req, reply)
	}
	panic("echomq: CheckRequest let " + req.Op.String() + " pass, which no transition serves")
}

// Peek returns the id that a claim would be served at now. Neither the clock nor
// the pause flag has a say in it.
func (q *Queue) Peek(model.Time) (model.ID, bool) {
	if q.isHiding {
		return model.ID{}, false
	}
	if !q.buffer.ID.IsZero() {
		return q.buffer.ID, true
	}
	if m := q.next(); m != nil {
		return m.id, true
	}
	return model.ID{}, false
}

// Reset empties the queue: no rows, no members, not paused, counters at 0.
func (q *Queue) Reset() {
	q.table.clear()
	for s := range q.sets {
		q.sets[s].clear()
	}
	q.paused, q.completed, q.failed = false, 0, 0
	q.past, q.minted, q.isHiding = nil, 0, false
	q.found, q.buffer = nil, model.Grant{}
	q.touched = q.touched[:0]
}

// Clone returns a queue of the same variant in the same state, which shares
// nothing with q that changes. What the clone touched is empty until its first
// Apply.
func (q *Queue) Clone() model.Queue {
	c := *q
	c.table = q.table.clone()
	for s := range q.sets {
		c.sets[s] = q.sets[s].clone()
	}
	c.past = append([]remembered(nil), q.past...)
	c.found = append([]remembered(nil), q.found...)
	c.before, c.touched = nil, nil
	return &c
}

// join makes e a member of s with the score, or gives it the score if it is one.
func (q *Queue) join(e *entry, s set, score model.Time) {
	q.leave(e, s)
	q.sets[s].add(&member{score, e.id, e.slot})
	e.place.sets |= s.bit()
	e.scores[s] = score
}

// leave takes e out of s and reports whether it was a member.
func (q *Queue) leave(e *entry, s set) bool {
	if !e.in(s) {
		return false
	}
	q.sets[s].remove(&member{e.scores[s], e.id, e.slot})
	e.place.sets &^= s.bit()
	e.scores[s] = 0
	if s == active {
		e.place.lease, e.place.unmarked = 0, false
	}
	return true
}
