package storm

import (
	"fmt"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// prefetcher is a queue behind a client with a buffer, which all workers share: the
// threads of one consumer host. A claim that finds the buffer empty takes up to n jobs,
// whose leases begin then; the others wait there for the next claims. So do the
// clients of SQS (a batch of ten), of Azure Service Bus (PrefetchCount) and Celery
// (worker_prefetch_multiplier), whose manuals warn of what comes of it. What lapsed in
// the buffer is handed out all the same: the client does not look at its clock.
//
// A job in the buffer is shown to the world as pending, which is what it is to the
// workers: an idle one asks for it.
type prefetcher struct {
	inner   queue
	n       int
	buffer  []waiting
	touched []model.Touch
}

// queue is what a prefetcher must be able to ask.
type queue interface {
	model.Queue
	model.Toucher
	model.Peeker
	model.Duer
}

// waiting is a job in the buffer.
type waiting struct {
	reply  model.Reply
	before model.Standing // when it was taken
	after  model.Standing // by now
}

// lend gives the base's queue, behind a client that prefetches, a name that stories can
// call it by, until forget is called.
func (w *Worlds) lend() (forget func(), err error) {
	if w.Prefetch == 1 {
		return func() {}, nil
	}
	q := &w.base.Queue
	body, ok := model.FindBody(q.Protocol, q.Backend)
	if !ok {
		return nil, fmt.Errorf("%s: there is no queue %s on %s to take jobs from beforehand", w.base.File, model.Safe(q.Protocol), model.Safe(q.Backend))
	}
	name, variant := fmt.Sprintf("prefetch-%d-%s", w.Prefetch, q.Protocol), q.Variant
	if variant != "" {
		name += "-" + variant
	}
	q.Protocol, q.Variant, q.Backend = name, "", "go"
	return scenarios.RegisterQueue(name, false, func() (model.Queue, error) { return open(body, variant, w.Prefetch) })
}

func open(body model.Body, variant string, n int) (model.Queue, error) {
	opened, err := body.Open(variant)
	if err != nil {
		return nil, err
	}
	inner, ok := opened.(queue)
	if !ok {
		return nil, fmt.Errorf("the queue %s on %s does not tell what it touches, so that its backlog cannot be seen", body.Protocol, body.Backend)
	}
	return &prefetcher{inner: inner, n: n}, nil
}

// Apply applies one request. A claim is served from the buffer.
func (p *prefetcher) Apply(now model.Time, req model.Request) model.Reply {
	p.touched = p.touched[:0]
	if req.Op != model.OpClaim {
		reply := p.inner.Apply(now, req)
		p.tell()
		return reply
	}
	if len(p.buffer) == 0 {
		if reply := p.fill(now, req); len(p.buffer) == 0 {
			return reply
		}
	}
	first := p.buffer[0]
	p.buffer = append(p.buffer[:0], p.buffer[1:]...)
	if first.before != first.after {
		p.touched = append(p.touched, model.Touch{ID: first.reply.ID, Before: first.before, After: first.after})
	}
	return first.reply
}

// fill takes jobs until the buffer is full or there is none, and returns the last
// answer.
func (p *prefetcher) fill(now model.Time, req model.Request) (reply model.Reply) {
	for len(p.buffer) < p.n {
		reply = p.inner.Apply(now, req)
		touched := p.inner.Touched()
		if reply.Answer != model.OK || len(touched) != 1 {
			p.tell()
			break
		}
		p.buffer = append(p.buffer, waiting{reply, touched[0].Before, touched[0].After})
	}
	return reply
}

// tell passes on what the queue touched, but for jobs in the buffer: what befalls them
// is told when they leave it.
func (p *prefetcher) tell() {
	for _, t := range p.inner.Touched() {
		if b := p.find(t.ID); b != nil {
			b.after = t.After
			continue
		}
		p.touched = append(p.touched, t)
	}
}

func (p *prefetcher) find(id model.ID) *waiting {
	for i := range p.buffer {
		if p.buffer[i].reply.ID == id {
			return &p.buffer[i]
		}
	}
	return nil
}

// Touched lists what the last request changed, as the workers see it.
func (p *prefetcher) Touched() []model.Touch { return p.touched }

// Peek returns what a claim would be served.
func (p *prefetcher) Peek(now model.Time) (model.ID, bool) {
	if len(p.buffer) > 0 {
		return p.buffer[0].reply.ID, true
	}
	return p.inner.Peek(now)
}

// NextDue tells when the pump is needed, also for what lies in the buffer.
func (p *prefetcher) NextDue() (lapse, run model.Time) { return p.inner.NextDue() }
