package queuetest

import (
	"fmt"
	"time"

	"github.com/ackgap/ackgap/model"
)

// probe asks a queue, and takes note of what it does otherwise than it should.
type probe struct {
	queue model.Queue
	doing string // what it is asked just now
	now   model.Time
	clock model.Time // of whoever asks, if it skews; otherwise the queue's
	skews bool
	wrong []string

	hears  func(*model.Request, *model.Reply) // each question and its answer; nil: nobody
	tells  bool                               // it has to say when a lease ends
	untold bool                               // an end of a lease was wrong
	odd    bool                               // an answer was one that its verb cannot have
}

// What a probe asks for: how long a lease is, by when all that is to come back has come
// back, and how often the pump ticks before that, once a second. A reaper may well look
// in one tick and act in a later one.
const (
	lease = 30 * time.Second
	later = 10 * time.Minute
	ticks = 5
)

func (p *probe) fail(format string, args ...any) {
	p.wrong = append(p.wrong, fmt.Sprintf(format, args...))
}

// at lets it be d since the beginning, and lets the pump tick until then.
func (p *probe) at(d time.Duration) {
	before := p.now
	for n := ticks - 1; n >= 0; n-- {
		if now := model.Time(d).Add(-time.Duration(n) * time.Second); now > before || n == 0 {
			p.now = now
			p.pump()
		}
	}
}

func (p *probe) pump() {
	p.apply(model.Request{Op: model.OpReap})
	p.apply(model.Request{Op: model.OpPromote})
}

// reads lets whoever asks read a clock that is off by d.
func (p *probe) reads(d time.Duration) { p.skews, p.clock = true, p.now.Add(d) }

func (p *probe) apply(req model.Request) model.Reply {
	req.Clock = p.now
	if p.skews {
		req.Clock = p.clock
	}
	p.doing = fmt.Sprintf("%s at %s", req.Op, p.when())
	rep := p.queue.Apply(p.now, req)
	if err := CheckAnswer(req.Op, rep.Answer); err != nil && !p.odd {
		p.odd = true
		p.fail("at %s %v", p.when(), err)
	}
	p.checkUntil(&req, &rep)
	if p.hears != nil {
		p.hears(&req, &rep)
	}
	return rep
}

// checkUntil holds the end of a lease against what was asked for, up to the rounding to
// whole milliseconds, where what is claimed is judged by it. It complains once: what is
// wrong is so every time.
func (p *probe) checkUntil(req *model.Request, rep *model.Reply) {
	if !p.tells || p.untold || rep.Answer != model.OK || req.Op != model.OpClaim && req.Op != model.OpExtend {
		return
	}
	want := p.now.Add(req.Lease)
	if off := rep.Until - want; off <= -model.Time(time.Millisecond) || off >= model.Time(time.Millisecond) {
		p.untold = true
		p.fail("the answer to a %s at %s says in Until that the lease ends at %s, want %s: the time that Apply was given plus the lease that was asked for",
			req.Op, p.when(), time.Duration(rep.Until), time.Duration(want))
	}
}

// job returns the nth job's id.
func job(n int) model.ID { return model.ID{NS: model.JOB, Value: uint64(n)} }

// payload is what the nth job carries.
func payload(n int) string { return fmt.Sprintf("payload of J%d", n) }

func name(id model.ID) string { return fmt.Sprintf("J%d", id.Value) }

// when is the instant in words.
func (p *probe) when() string { return time.Duration(p.now).String() }

func (p *probe) enqueue(n int, payload string) model.Answer {
	return p.apply(model.Request{Op: model.OpEnqueue, ID: job(n), Payload: payload}).Answer
}

// admits enqueues the jobs with these numbers, each of which must be let in.
func (p *probe) admits(list ...int) {
	for _, n := range list {
		if got := p.enqueue(n, payload(n)); got != model.Enqueued {
			p.fail("the enqueue of J%d, which it does not hold, was answered %s at %s: want %s", n, got, p.when(), model.Enqueued)
		}
	}
}

// gets claims a job, which must be the nth, with what it was enqueued with.
func (p *probe) gets(n int, why string) model.Grant {
	rep := p.apply(model.Request{Op: model.OpClaim, Lease: lease})
	switch {
	case rep.Answer != model.OK:
		p.fail("a claim at %s was answered %s, want J%d: %s", p.when(), rep.Answer, n, why)
	case rep.ID != job(n):
		p.fail("a claim at %s was served %s, want J%d: %s", p.when(), name(rep.ID), n, why)
	case rep.Payload != payload(n):
		p.fail("a claim at %s was served J%d with the payload %q, want %q: a job keeps what it was let in with, in each of its deliveries", p.when(), n, model.Safe(rep.Payload), payload(n))
	}
	return rep.Grant
}

// getsNothing claims a job, of which there must be none.
func (p *probe) getsNothing(why string) {
	rep := p.apply(model.Request{Op: model.OpClaim, Lease: lease})
	if rep.Answer != model.Empty {
		p.fail("a claim at %s was answered %s (%s), want %s: %s", p.when(), rep.Answer, name(rep.ID), model.Empty, why)
	}
}

// says speaks for a delivery.
func (p *probe) says(op model.Op, g model.Grant, most int) model.Answer {
	return p.apply(model.Request{Op: op, ID: g.ID, Token: g.Token, Lease: lease, Delay: time.Second, Max: most, Error: "failed"}).Answer
}

func (p *probe) accepts(op model.Op, g model.Grant, why string) {
	if got := p.says(op, g, 100); !got.Accepted() {
		p.fail("the %s of %s at %s was answered %s, want it accepted: %s", op, name(g.ID), p.when(), got, why)
	}
}

func (p *probe) refuses(op model.Op, g model.Grant, why string) {
	if got := p.says(op, g, 100); got.Accepted() {
		p.fail("the %s of %s at %s was answered %s, want it refused (%s or %s): %s", op, name(g.ID), p.when(), got, model.Stale, model.Gone, why)
	}
}

// judge puts a new queue to the question, and returns what was wrong.
func judge(newQueue func() model.Queue, ask func(*probe)) (wrong []string) {
	p := &probe{doing: "newQueue"}
	defer func() {
		if v := recover(); v != nil {
			wrong = append(p.wrong, panicked(p.doing, v))
		}
	}()
	q := newQueue()
	if q == nil {
		return []string{"newQueue returned nil"}
	}
	p.queue = q
	ask(p)
	if f, ok := q.(model.Failer); ok && f.Err() != nil {
		return []string{"it was lost, so that nothing is known: " + model.Safe(f.Err().Error())}
	}
	return p.wrong
}

// complaints says what a queue that claims c does otherwise.
func complaints(newQueue func() model.Queue, c Capability) []string {
	var list []string
	for _, wrong := range judge(newQueue, askOf(c)) {
		list = append(list, fmt.Sprintf("the queue claims %s, but %s", c, wrong))
	}
	return list
}

// askOf returns what a queue is asked that claims c.
func askOf(c Capability) func(*probe) {
	if window, ok := c.Window(); ok {
		return func(p *probe) { dedupWindow(p, window) }
	}
	for _, claim := range claims {
		if claim.capability == c {
			return claim.ask
		}
	}
	return func(*probe) {}
}
