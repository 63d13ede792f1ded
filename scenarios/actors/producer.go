package actors

import (
	"cmp"
	"slices"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

type (
	// Effects are what a step wants done: the kernel's, with our messages.
	Effects = sim.Effects[Msg]
	// Input is what a step is about: the kernel's, with our messages.
	Input = sim.Input[Msg]
)

// The timers of a producer.
const (
	slotJob     uint8 = iota // the next job is due
	slotTimeout              // the oldest unanswered enqueue
)

// Producer enqueues its jobs, each at its time and without waiting for earlier
// answers. An enqueue that is not answered within Timeout is sent again, up to
// Retries times, under the same id or under a fresh one. A crash forgets the
// unanswered ones; jobs that fall due while it is down are sent when it is back.
type Producer struct {
	Self    model.Proc
	Retries int32
	Timeout time.Duration
	FreshID bool
	Mint    model.Mint
	Jobs    []model.Job // its own, by time, then in file order

	next int       // into Jobs; durable
	open []enqueue // by call, and so by deadline, for they share one timeout
	head int       // into open: the oldest that waits
}

type enqueue struct {
	job      model.Job
	ref      Ref
	call     int32
	attempt  int32
	deadline model.Time // local
	over     bool       // it waits no more: it was answered, or given up
}

// Reset makes p what like is, without jobs, and keeps the memory of its lists.
func (p *Producer) Reset(like Producer) {
	jobs, open := p.Jobs[:0], p.open[:0]
	*p = like
	p.Jobs, p.open = jobs, open
}

// Step sends what is due, and sends again what was not answered.
func (p *Producer) Step(now model.Time, in *Input, scene *Scene, fx *Effects) {
	switch in.Kind {
	case sim.Start, sim.Restart:
		if in.Kind == sim.Restart {
			fx.Record(model.Event{Kind: model.Restarted}, nil)
		}
		p.sendDue(now, scene, fx)
	case sim.Timer:
		if in.Slot == slotJob {
			p.sendDue(now, scene, fx)
		} else {
			p.timeOut(now, scene, fx)
		}
	case sim.Arrival:
		p.answer(now, in, fx)
	}
}

// Crash forgets which enqueues were not answered yet.
func (p *Producer) Crash() { p.open, p.head = p.open[:0], 0 }

// sendDue sends the jobs whose time has come and waits for the next.
func (p *Producer) sendDue(now model.Time, scene *Scene, fx *Effects) {
	for ; p.next < len(p.Jobs); p.next++ {
		j := p.Jobs[p.next]
		if at := scene.Jobs[j].At; at > fx.Now() {
			fx.At(p.Self, slotJob, at)
			return
		}
		p.send(now, enqueue{job: j, ref: NoRef}, scene, fx)
	}
}

// send sends e once more, minting an id if it has none.
func (p *Producer) send(now model.Time, e enqueue, scene *Scene, fx *Effects) {
	if e.ref == NoRef {
		e.ref = scene.Mint(&p.Mint, now, e.job)
	}
	e.attempt++
	e.call, e.deadline = scene.NextCall(), now.Add(p.Timeout)
	p.wait(e)
	if p.head == len(p.open)-1 {
		fx.After(slotTimeout, p.Timeout)
	}
	m, at := fx.Compose(scene.Queue, sim.Link)
	*m = Msg{}
	m.Op, m.Speaker, m.Job, m.Ref, m.ID = model.OpEnqueue, p.Self, e.job, e.ref, scene.ID(e.ref)
	m.Nth, m.Call, m.Span = e.attempt, e.call, scene.Jobs[e.job].Delay
	if m.Span > 0 {
		m.Op = model.OpEnqueueIn
	}
	m.address(at)
	m.tellSent(fx)
}

// wait lets e wait for its answer. The room of those that wait no more is used again
// when it is half of all.
func (p *Producer) wait(e enqueue) {
	if len(p.open) == cap(p.open) && 2*p.head > len(p.open) {
		p.open = p.open[:copy(p.open, p.open[p.head:])]
		p.head = 0
	}
	p.open = append(model.RoomForOne(p.open), e)
}

// timeOut gives up waiting for the oldest enqueue, and tries again if it may.
func (p *Producer) timeOut(now model.Time, scene *Scene, fx *Effects) {
	e := p.open[p.head]
	p.finish(now, p.head, fx)
	fx.Record(model.Event{
		Kind: model.TimedOut, Op: model.OpEnqueue, Job: e.job, ID: scene.ID(e.ref), Call: e.call, Nth: e.attempt,
	}, nil)
	if e.attempt > p.Retries {
		return
	}
	if p.FreshID {
		e.ref = NoRef
	}
	p.send(now, e, scene, fx)
}

// finish is done with open[i], and lets the timer wait for the oldest that is
// left. Answers come in any order and there may be many: only the oldest are
// taken out.
func (p *Producer) finish(now model.Time, i int, fx *Effects) {
	p.open[i].over = true
	if i > p.head {
		return
	}
	for p.head < len(p.open) && p.open[p.head].over {
		p.head++
	}
	if p.head == len(p.open) {
		p.open, p.head = p.open[:0], 0
		fx.Disarm(slotTimeout)
		return
	}
	fx.After(slotTimeout, p.open[p.head].deadline.Sub(now))
}

// answer takes note of an answer. One that comes after its timeout is void.
func (p *Producer) answer(now model.Time, in *Input, fx *Effects) {
	e := in.Msg.answered(fx)
	i, waits := p.find(in.Msg.Job, in.Msg.Call)
	if !waits {
		e.Flags |= model.IsLate
		fx.Write(nil)
		return
	}
	p.finish(now, i, fx)
	fx.Write(nil)
	if e.Answer == model.Enqueued || e.Answer == model.Scheduled || e.Answer == model.Duplicate {
		e.Kind = model.Admitted
		fx.Write(nil)
	}
}

// find returns where in open the enqueue of a call for job is, and whether it waits.
// Where none is sent again, the jobs in open follow each other.
func (p *Producer) find(job model.Job, call int32) (i int, waits bool) {
	if n := len(p.open) - 1; n >= 0 {
		if i = n - int(p.open[n].job-job); p.head <= i && i <= n && p.open[i].call == call {
			return i, !p.open[i].over
		}
	}
	i, found := slices.BinarySearchFunc(p.open, call, func(e enqueue, call int32) int {
		return cmp.Compare(e.call, call)
	})
	return i, found && !p.open[i].over
}
