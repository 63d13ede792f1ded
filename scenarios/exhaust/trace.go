package exhaust

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// tracer tells a path as events, for tests: it gives them a time that agrees with the
// order of the deadlines. A nil tracer tells nothing.
type tracer struct {
	w         *World
	hear      func(model.Event, []model.Touch)
	now       model.Time
	leases    int                 // deadlines that were set so far
	deadlines times               // by job: in active
	ends      [MaxJobs]model.Time // by job: of the last delivery's lease
	past      [maxForgotten]times
}

type times [MaxJobs]model.Time

// term is how long every lease lasts, and stride how long it takes to the first
// one: half as long to each next, so that all that are still to come are over before
// a deadline that was set later than another. Other events take no time.
const (
	term   = time.Duration(1) << 55
	stride = time.Duration(1) << 50
)

// record writes one event, of a process that does not matter unless it is the queue.
func (t *tracer) record(e model.Event, touched []model.Touch) {
	e.At, e.Server = t.now, t.now
	t.hear(e, touched)
}

// about is an event about one job, which counts from 0 here.
func (t *tracer) about(kind model.Kind, op model.Op, job, n uint8) model.Event {
	return model.Event{Kind: kind, Op: op, Job: model.Job(job) + 1, ID: t.w.machine.ids[job], N: int32(n)}
}

func (t *tracer) lapse(job uint8) {
	if t != nil {
		t.now = max(t.now, t.deadlines[job])
	}
}

func (t *tracer) end(job uint8) {
	if t != nil {
		t.now = max(t.now, t.ends[job])
	}
}

// applied tells what the queue did.
func (t *tracer) applied(st *step, l letter, job uint8) {
	if t == nil {
		return
	}
	e := t.about(model.Applied, l.op, job, l.n)
	e.Proc, e.Answer, e.Token = faults.Queue, st.e.answer, model.Token(l.token)
	switch {
	case l.op == model.OpClaim && st.e.answer == model.OK:
		e.N, e.Token = int32(st.s.jobs[job].n)+1, model.Token(st.e.token)
	case l.op == model.OpRetry:
		e.Max = int32(t.w.maxAttempts)
	case l.op == model.OpReap, l.op == model.OpSweep, l.op == model.OpPromote:
		e.Job, e.ID = model.NoJob, model.ID{}
		if st.e.moved {
			e.Moved = 1
		}
	case l.op == model.OpClaim, l.op == model.OpDrain, l.op == model.OpPause, l.op == model.OpResume:
		e.Job, e.ID = model.NoJob, model.ID{}
	}
	if st.said.raw {
		e.Flags |= model.IsRaw
	}
	t.lease(st, &e, l, job)
	t.record(e, t.touches(st.q, t.w.queue(st.s), st.e.touched))
}

// lease keeps the deadlines, and puts the new one into e.
func (t *tracer) lease(st *step, e *model.Event, l letter, job uint8) {
	if st.e.writes {
		t.past[1], t.past[0] = t.past[0], t.deadlines
	}
	if st.e.answer != model.OK || l.op != model.OpClaim && l.op != model.OpExtend {
		return
	}
	t.now = t.now.Add(stride >> t.leases)
	t.leases++
	e.Until = t.now.Add(term)
	t.deadlines[job] = e.Until
	if j := &st.s.jobs[job]; l.op == model.OpClaim || l.n == j.n && !j.has(isOver) {
		t.ends[job] = e.Until
	}
}

func (t *tracer) touches(was, is *queueState, touched uint8) (list []model.Touch) {
	for j := range t.w.jobs {
		if touched>>j&1 == 1 {
			list = append(list, model.Touch{ID: t.w.machine.ids[j], Before: was.stands[j], After: is.stands[j]})
		}
	}
	return list
}

func (t *tracer) admitted(job uint8) {
	if t == nil {
		return
	}
	e := t.about(model.Admitted, model.OpEnqueue, job, 0)
	e.Answer = model.Enqueued
	t.record(e, nil)
}

func (t *tracer) effected(who, job, n, effects uint8) {
	if t == nil {
		return
	}
	e := t.about(model.Effected, model.OpApply, job, n)
	e.Proc = t.w.proc(who)
	e.Effect = int32(effects)
	t.record(e, nil)
}

func (t *tracer) absorbed(who, job, n uint8, why model.Cause) {
	if t == nil {
		return
	}
	e := t.about(model.Absorbed, model.OpApply, job, n)
	e.Proc, e.Cause = t.w.proc(who), why
	t.record(e, nil)
}

func (t *tracer) marker(kind model.Kind, st *step, who uint8, found bool) {
	if t == nil {
		return
	}
	k := &st.s.workers[who]
	e := t.about(kind, model.OpApply, k.job, k.n)
	e.Proc = t.w.proc(who)
	if found {
		e.Flags |= model.IsFound
	}
	t.record(e, nil)
}

// restored tells that the queue is back and what it forgot.
func (t *tracer) restored(st *step, n uint8, was *queueState, touched uint8) {
	if t == nil {
		return
	}
	t.deadlines = t.past[n-1]
	e := model.Event{Kind: model.Restarted, Proc: faults.Queue, Answer: model.OK}
	if st.q.paused {
		e.Answer = model.QueuePaused
	}
	t.record(e, t.touches(was, st.q, touched))
}

// proc is the process number of a worker: see scenarios.Cast.
func (w *World) proc(who uint8) model.Proc {
	return model.Proc(firstProducer + len(w.story.Producers) + int(who))
}
