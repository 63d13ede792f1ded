package actors

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// Broker runs a queue as a process. It reads the server's clock in whole
// milliseconds, counts deliveries by itself, and writes what was applied into
// the history: the queue has no say in that.
type Broker struct {
	Queue model.Queue
	Keeps bool // it keeps a log of writes, because this world can crash it
	// Recalls: raw requests may name any delivery, so that all are remembered and not
	// the last of each job alone.
	Recalls bool
	Watch   Watcher
	Skew    func(model.Proc) time.Duration // how far the clock of a process is off; nil: none is

	toucher   model.Toucher // nil when the queue is none
	peeker    model.Peeker
	last      []int32    // by job: its latest in deliveries, or -1
	delivered []delivery // all of them, or with Recalls unset the last of each job
	log       []write
	kept      int // how much of the log survives the crash
	missing   []Missing
	wrong     error // what the queue answered that no run can go on with
}

// Watcher is what the simulator knows of the queue by watching: where each id
// stands, and what a claim would be served.
type Watcher interface {
	Standing(model.ID) model.Standing
	Pending() (model.ID, bool)
	Paused() bool
}

// Missing is a raw request about a delivery that did not exist by its time.
type Missing struct {
	Line int32 // of the story
	Job  model.Job
	N    int32 // the delivery it named
	Have int32 // how many there were
}

type delivery struct {
	ref   Ref
	token model.Token
	n     int32
	prev  int32 // the job's delivery before it in the table, or -1
}

// write is a request that changed something, as the server saw it.
type write struct {
	at      model.Time // true time
	now     model.Time // the server's clock
	request model.Request
}

// Reset makes the broker ready to serve queue in a world with the given number
// of jobs (index 0 among them is unused).
func (b *Broker) Reset(queue model.Queue, watch Watcher, jobs int, keeps bool) {
	b.Queue, b.Watch, b.Keeps = queue, watch, keeps
	b.toucher, _ = queue.(model.Toucher)
	b.peeker, _ = queue.(model.Peeker)
	b.last = model.Room(b.last, jobs)
	for range jobs {
		b.last = append(b.last, -1)
	}
	b.delivered, b.log, b.missing = model.Room(b.delivered, jobs), b.log[:0], b.missing[:0]
	b.wrong = nil
}

// Wrong returns why the run says nothing about the queue: it served what it was not
// given. Nil where it did not.
func (b *Broker) Wrong() error { return b.wrong }

// Missing returns the raw requests that named a delivery which did not exist.
func (b *Broker) Missing() []Missing { return b.missing }

// Step applies one request, or brings the queue back after a crash.
func (b *Broker) Step(now model.Time, in *Input, scene *Scene, fx *Effects) {
	switch in.Kind {
	case sim.Arrival:
		b.serve(now.FloorMillis(), in, scene, fx)
	case sim.Restart:
		b.restore(now.FloorMillis(), scene, fx)
	}
}

// PointOf returns the point of a message that is decided on here: a claim, for
// the delivery that it would get there and then, or a raw request.
func (b *Broker) PointOf(now model.Time, in *Input, scene *Scene) (faults.Point, bool) {
	m := &in.Msg
	if m.Op == model.OpClaim {
		id, ok := b.peek(now.FloorMillis())
		if !ok {
			return faults.Point{}, false
		}
		job := scene.Owner(scene.Ref(id))
		return faults.Point{Family: faults.Message, Op: m.Op, Job: job, N: b.served(job) + 1}, job != model.NoJob
	}
	if m.Job == model.NoJob || in.Raw && !b.exists(m) {
		return faults.Point{}, false
	}
	return m.Point(), true
}

// peek returns what a claim would be served at this instant.
func (b *Broker) peek(now model.Time) (model.ID, bool) {
	if b.peeker != nil {
		return b.peeker.Peek(now)
	}
	return b.Watch.Pending()
}

// exists reports whether the delivery that m names has happened by now.
func (b *Broker) exists(m *Msg) bool {
	return m.N == 0 || m.N <= b.served(m.Job) || m.Op == model.OpClaim
}

// served returns how many deliveries of j there were so far.
func (b *Broker) served(j model.Job) int32 {
	if b.last[j] < 0 {
		return 0
	}
	return b.delivered[b.last[j]].n
}

// find returns the nth delivery of j, which exists.
func (b *Broker) find(j model.Job, n int32) *delivery {
	i := b.last[j]
	for b.delivered[i].n != n {
		i = b.delivered[i].prev
	}
	return &b.delivered[i]
}

// serve applies the request in to the queue, records it and answers it.
func (b *Broker) serve(server model.Time, in *Input, scene *Scene, fx *Effects) {
	m := &in.Msg // which becomes the answer
	if in.Raw && !b.address(m, server, scene) {
		return
	}
	var req model.Request
	b.request(&req, m, fx.Now(), scene)
	rep := b.Queue.Apply(server, req)
	touched := b.touched()
	if b.Keeps {
		b.keep(fx.Now(), server, req, touched)
	}
	b.stamp(m, &rep, scene)
	m.IsReply, m.Answer, m.Until = true, rep.Answer, rep.Until
	if b.worthTelling(in, m, &rep, touched) {
		b.tellApplied(server, in, &rep, fx)
		fx.Write(touched)
	}
	if in.From != scene.Pump || in.Raw {
		answer, at := fx.ComposeReply(in, false)
		*answer = *m
		m.address(at)
	}
}

// worthTelling reports whether a request is an event. A tick of the pump with
// nothing due is none, nor is the pause flag of a queue that is not paused.
func (b *Broker) worthTelling(in *Input, m *Msg, rep *model.Reply, touched []model.Touch) bool {
	switch m.Op {
	case model.OpReap, model.OpPromote, model.OpSweep:
		return in.Raw || rep.Moved > 0 || rep.Dead > 0 || len(touched) > 0
	case model.OpReadPause:
		return rep.Answer != model.OK
	}
	return true
}

// tellApplied begins the record of what the request in came to.
func (b *Broker) tellApplied(server model.Time, in *Input, rep *model.Reply, fx *Effects) {
	e, m := fx.Event(), &in.Msg
	m.label(e)
	e.Kind, e.Answer, e.Server, e.Until = model.Applied, m.Answer, server, m.Until
	e.Max, e.Moved, e.Dead = m.Max, int32(rep.Moved), int32(rep.Dead)
	if in.Copy {
		e.Flags |= model.IsCopy
	}
	if in.Raw {
		e.Flags |= model.IsRaw
	}
}

// address fills in what a raw request leaves to the delivery that it names, and
// reports whether that delivery exists.
func (b *Broker) address(m *Msg, now model.Time, scene *Scene) bool {
	switch {
	case m.Job == model.NoJob:
		return true
	case m.Op.Admits():
		m.Ref = scene.outside(m.Job, now)
		m.ID = scene.ID(m.Ref)
		return true
	case m.N == 0:
		if m.Ref = scene.latest(m.Job); m.Ref == NoRef {
			m.Ref = scene.Mint(&scene.Outside, now, model.NoJob) // one that the queue has never seen
		}
		m.ID = scene.ID(m.Ref)
		return true
	case !b.exists(m):
		b.missing = append(b.missing, Missing{m.Line, m.Job, m.N, b.served(m.Job)})
		return false
	}
	d := b.find(m.Job, m.N)
	m.Ref, m.ID = d.ref, scene.ID(d.ref)
	if !m.Named {
		m.Token = d.token
	}
	return true
}

// request puts m into the queue's own words: into r, which is empty.
func (b *Broker) request(r *model.Request, m *Msg, now model.Time, scene *Scene) {
	r.Op, r.ID, r.Token, r.Max, r.Clock = m.Op, m.ID, m.Token, int(m.Max), b.clockOf(m.Speaker, now)
	switch m.Op {
	case model.OpEnqueue, model.OpEnqueueIn:
		r.Payload, r.Delay = scene.Jobs[m.Job].Payload, m.Span
	case model.OpClaim, model.OpExtend:
		r.Lease = m.Span
	case model.OpRetry:
		r.Delay, r.Error = m.Span, m.Cause.String()
	case model.OpDelay:
		r.Delay = m.Span
	}
}

// clockOf returns what the clock of p shows.
func (b *Broker) clockOf(p model.Proc, now model.Time) model.Time {
	if b.Skew == nil {
		return now.FloorMillis()
	}
	return now.Add(b.Skew(p)).FloorMillis()
}

// stamp counts a delivery and names it: by the simulator, never by the token.
func (b *Broker) stamp(m *Msg, rep *model.Reply, scene *Scene) {
	if m.Op != model.OpClaim || rep.Answer != model.OK {
		return
	}
	ref := scene.Ref(rep.ID)
	if ref == NoRef {
		b.wrong = cmp.Or(b.wrong, fmt.Errorf("the queue served %q, an id that nobody enqueued in this run: it must be empty when a run begins, and shared with nobody", rep.ID.String()))
		rep.Answer = model.Empty
		return
	}
	m.ID, m.Token, m.Ref = rep.ID, rep.Token, ref
	m.Job = scene.Owner(m.Ref)
	m.N = b.served(m.Job) + 1
	last := b.last[m.Job]
	if last >= 0 && !b.Recalls {
		b.delivered[last] = delivery{m.Ref, m.Token, m.N, -1}
		return
	}
	b.delivered = append(b.delivered, delivery{m.Ref, m.Token, m.N, last})
	b.last[m.Job] = int32(len(b.delivered) - 1)
}

func (b *Broker) touched() []model.Touch {
	if b.toucher == nil {
		return nil
	}
	return b.toucher.Touched()
}

// keep logs a request that changed something, for worlds that can crash.
func (b *Broker) keep(at, server model.Time, req model.Request, touched []model.Touch) {
	paused := b.Watch.Paused() // before the request, which nobody was told of yet
	flag := req.Op == model.OpPause && !paused || req.Op == model.OpResume && paused
	if flag || b.toucher == nil || len(touched) > 0 {
		b.log = append(b.log, write{at, server, req})
	}
}

// Crash decides which writes survive: all but those of the last lost.Window, or
// all but the last lost.Writes. Answers already sent are not taken back.
func (b *Broker) Crash(at model.Time, lost faults.Loss) {
	b.kept = max(0, len(b.log)-lost.Writes)
	for lost.Window > 0 && b.kept > 0 && b.log[b.kept-1].at > at.Add(-lost.Window) {
		b.kept--
	}
}

// restore resets the queue and applies the kept prefix again, each request at
// the server time at which it was applied before.
func (b *Broker) restore(server model.Time, scene *Scene, fx *Effects) {
	e := model.Event{Kind: model.Restarted, Server: server, Moved: int32(len(b.log) - b.kept), Answer: model.OK}
	var touched []model.Touch
	if b.kept < len(b.log) {
		touched = b.replay(scene)
	}
	if b.Queue.Apply(server, model.Request{Op: model.OpReadPause}).Answer == model.QueuePaused {
		e.Answer = model.QueuePaused
	}
	fx.Record(e, touched)
}

// replay returns what is different from what the simulator saw before.
func (b *Broker) replay(scene *Scene) []model.Touch {
	b.Queue.(model.Resetter).Reset()
	now := make([]model.Standing, len(scene.IDs))
	for _, w := range b.log[:b.kept] {
		b.Queue.Apply(w.now, w.request)
		for _, t := range b.touched() {
			if ref := scene.Ref(t.ID); ref != NoRef {
				now[ref] = t.After
			}
		}
	}
	b.log = b.log[:b.kept]
	var changed []model.Touch
	for ref, id := range scene.IDs {
		if was := b.Watch.Standing(id); was != now[ref] {
			changed = append(changed, model.Touch{ID: id, Before: was, After: now[ref]})
		}
	}
	return changed
}

// CanRestore reports an error when a world that crashes its queue with lost
// writes cannot run on q.
func CanRestore(q model.Queue) error {
	_, reset := q.(model.Resetter)
	_, touch := q.(model.Toucher)
	if !reset || !touch {
		return fmt.Errorf("the queue cannot forget writes: a crash with lose= needs a body that can reset and tell what it touched")
	}
	return nil
}
