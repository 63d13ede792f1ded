package echomq

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/model"
)

// rules are what a variant does otherwise than EchoMQ as built, which is the
// zero value.
type rules struct {
	settlesByID     bool // complete, retry and delay do not compare the token
	extendsByID     bool // extend does not compare the token
	reapForgets     bool // reap takes out of active and puts nowhere
	lifo            bool // claim serves the largest id
	resetsToken     bool // reap sets attempts to 0
	resetsAttempts  bool // promote does
	freesOthers     bool // complete with an old token takes the job out of active
	readmits        bool // enqueue does not look for a row, it writes a fresh one
	neverForgets    bool // enqueue calls a completed id a duplicate for ever
	reapsEarly      bool // reap and sweep wait for half of the lease only
	extendsByHalf   bool // extend sets the deadline to half of what was asked
	keepsActive     bool // complete deletes the row and leaves the member
	neverBuries     bool // retry ignores the cap
	buriesEarly     bool // retry gives up one attempt below the cap
	hidesPending    bool // every second claim that could be served is answered empty
	completesTwice  bool // complete of a job that is gone is answered ok
	resurrects      bool // retry of a completed job brings it back
	ignoresComplete bool // complete is answered ok and changes nothing
	missesPending   bool // retry looks for the job in active only
	requeuesOthers  bool // retry with an old token makes a job pending that another holds
	marksLater      bool // claim leases without an end, which the first extend sets
	readsTwice      bool // reap finds by one reading of its clock and deletes by a later one
	rescues         bool // reap writes back what the one before found lapsed, whatever became of it
	prefetches      bool // claim leases one job more and keeps it for the next claim

	guards Guard // what hardened asks that nobody asks as built

	// buriesAt bounds the claims of a job: once it was claimed so often, nothing
	// makes it pending again, and it is dead-lettered instead. 0 is no bound.
	buriesAt model.Token
}

// claimCap is the bound that the variant bounded keeps, the default of
// max-attempts: no request but a retry and a sweep names a cap, so that it cannot
// be told another. With a lower max-attempts on its queue line it keeps less than
// it promises.
const claimCap = 3

// variants is the table of what can be named. Each but hardened and bounded is a way in which a
// real queue errs, or has erred.
var variants = []struct {
	name, doc string
	rules     rules
}{
	{"hardened", "as built and seven guards more, none of which can be left out: see Guard; sound", rules{guards: everyGuard}},
	{"no-fence", "settles by id, the token is not compared (asynq, Faktory, Oban, River)", rules{settlesByID: true}},
	{"no-extend-fence", "extends by id, the token is not compared (asynq, pgmq, NATS JetStream)", rules{extendsByID: true}},
	{"reap-forgets", "reap removes a lapsed job and puts it nowhere (RQ issue 454)", rules{reapForgets: true}},
	{"lifo", "claim serves the youngest job (a Redis list pushed and popped at one end)", rules{lifo: true}},
	{"token-reset", "reap starts the tokens again (RabbitMQ: delivery tags restart with the channel)", rules{resetsToken: true}},
	{"double-admission", "enqueue writes over a job that stands (RQ: a custom job id overwrites)", rules{readmits: true}},
	{"phantom-duplicate", "enqueue refuses an id that was completed (SQS FIFO: dedup outlives the delete)", rules{neverForgets: true}},
	{"early-expiry", "reap and sweep take a job after half of its lease (Celery, asynq: the reaper's own clock judges)", rules{reapsEarly: true}},
	{"shortening-extend", "extend grants half of what was asked, so it can shorten (pgmq: set_vt, asynq: no GT)", rules{extendsByHalf: true}},
	{"settle-keeps-active", "complete deletes the row, the lease's index keeps the id (asynq: an error after part of a script's writes)", rules{keepsActive: true}},
	{"retry-never-dead", "retry ignores max-attempts (Celery on Redis: redelivered for ever)", rules{neverBuries: true}},
	{"dead-early", "retry gives up one attempt early (asynq issue 1015, Laravel Horizon issue 128)", rules{buriesEarly: true}},
	{"attempts-reset", "hardened, and promote starts the count of attempts again (mongoqueue issue 11); its tokens are counted apart", rules{guards: everyGuard, resetsAttempts: true}},
	{"stale-ack-frees", "complete with an old token is stale and takes the lease away all the same (Redis Streams: XACK names no consumer; a lock deleted without a look at whose it is)", rules{freesOthers: true}},
	{"claim-ignores-pending", "every second claim misses what is pending (SQS: a short poll asks some servers only)", rules{hidesPending: true}},
	{"double-settle", "complete of a job that is gone is answered ok (Google Pub/Sub: a double ack is no error)", rules{completesTwice: true}},
	{"resurrect", "retry with an old token brings a completed job back (Oban: a stale error un-completes)", rules{resurrects: true}},
	{"ignores-ack", "complete is answered ok and changes nothing (SQS standard, Pub/Sub: an old handle)", rules{ignoresComplete: true}},
	{"retry-misses-pending", "retry takes a job out of active only, so that one reaped meanwhile stands twice (BullMQ before pull 487)", rules{missesPending: true}},
	{"bounded", "a job claimed 3 times is dead-lettered instead of made pending, whoever holds its token (SQS: maxReceiveCount); sound", rules{buriesAt: claimCap}},
	{"bounded-leaks", "promises 3 claims and lets a fourth pass (Google Pub/Sub: max_delivery_attempts is best effort)", rules{buriesAt: claimCap + 1}},
	{"stale-nak-requeues", "retry with an old token is stale and makes the job pending all the same (NATS JetStream: a Nak names no delivery; Faktory: FAIL by job id)", rules{requeuesOthers: true}},
	{"pop-then-mark", "claim takes a job out of pending, and its first extend is what lets the lease end (BRPOPLPUSH, then a lock: Bull; RQ's intermediate queue)", rules{marksLater: true}},
	{"two-clock-reads", "reap makes pending what is over, then reads its clock again and deletes what is over by now (RQ issue 454)", rules{readsTwice: true}},
	{"rescue-overwrites", "reap finds lapsed jobs and writes them back by id a tick later, completed or not (River issue 1302)", rules{rescues: true}},
	{"prefetch-expires", "claim leases one job more into the client's buffer, whose lease nobody looks at (SQS, Azure Service Bus, Celery)", rules{prefetches: true}},
}

func init() {
	body := model.Body{Protocol: "echomq", Backend: "go", Open: open}
	for _, v := range variants {
		body.Variants = append(body.Variants, model.Variant{
			Name: v.name, Doc: v.doc, BoundsDeliveries: v.rules.buriesAt != 0,
		})
	}
	model.Register(body)
}

// open is New behind the interface: a nil *Queue must not become a Queue.
func open(variant string) (model.Queue, error) {
	q, err := New(variant)
	if err != nil {
		return nil, err
	}
	return q, nil
}

func findRules(variant string) (rules, error) {
	if variant == "" {
		return rules{}, nil
	}
	names := make([]string, len(variants))
	for i, v := range variants {
		if v.name == variant {
			return v.rules, nil
		}
		names[i] = v.name
	}
	return rules{}, fmt.Errorf("echomq has no variant %q; leave it out for the queue as built, or take one of %s",
		variant, strings.Join(names, ", "))
}

func (r *rules) onSecondComplete() model.Answer {
	if r.completesTwice {
		return model.OK
	}
	return model.Gone
}

// isSpent reports whether a job that was claimed so many times has no retry left.
func (r *rules) isSpent(attempts model.Token, most int) bool {
	if r.buriesEarly {
		most--
	}
	return !r.neverBuries && attempts >= model.Token(most)
}

// isWorn reports whether a job that was claimed so many times may not be pending
// again.
func (r *rules) isWorn(attempts model.Token) bool {
	return r.buriesAt != 0 && attempts >= r.buriesAt
}

// isBuried reports whether e is dead to its last holder, where claims are bounded:
// it was buried while that one may still be at work, and its token must not bring
// it back. As built the token lives on, in dead too.
func (q *Queue) isBuried(e *entry) bool { return q.rules.buriesAt != 0 && e.in(dead) }

func (r *rules) extension(lease time.Duration) time.Duration {
	if r.extendsByHalf {
		return lease / 2
	}
	return lease
}

func (r *rules) remembers() bool { return r.neverForgets || r.resurrects }

// remembered is a completed job as it was, for the variants that keep it.
type remembered struct {
	id model.ID
	row
}

func (r remembered) compare(o remembered) int { return r.id.Compare(o.id) }

func (q *Queue) findPast(id model.ID) (int, bool) {
	return slices.BinarySearchFunc(q.past, id, func(r remembered, id model.ID) int { return r.id.Compare(id) })
}

func (q *Queue) remember(e *entry) {
	i, known := q.findPast(e.id)
	if known {
		q.past[i].row = e.row
		return
	}
	q.past = slices.Insert(q.past, i, remembered{e.id, e.row})
}

func (q *Queue) recall(id model.ID) *row {
	if i, known := q.findPast(id); known {
		return &q.past[i].row
	}
	return nil
}

// restore brings a completed job's row back, for the variant that does so. As
// built there is nothing to bring back, and the answer is nil.
func (q *Queue) restore(id model.ID) *entry {
	r := q.recall(id)
	if r == nil || !q.rules.resurrects {
		return nil
	}
	e := q.table.get(id)
	if e == nil {
		e = q.table.add(id)
	}
	q.touch(e)
	e.row = *r
	return e
}
