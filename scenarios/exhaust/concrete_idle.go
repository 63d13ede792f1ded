package exhaust

import (
	"time"

	"github.com/ackgap/ackgap/model"
)

// claim lets idle workers ask so seldom that none gets the job of moment i before its
// time, and in some manners so that one asks right then.
func (s *solver) claim(m *moment, i int) {
	isOnPath := i < len(s.moments) // and not what could follow behind the path
	for range s.story.Workers {
		if s.run(); s.err != nil {
			return
		}
		at, e := s.free(i), s.event(m)
		switch {
		case e != nil && isOnPath && !s.w.workers[s.own(s.worker(e.Proc))].same(&s.w.workers[m.who]):
			s.askAt(e.Proc, min(at, e.At), at.Add(time.Second)) // behind the one that the path means
		case e != nil && (e.At.Sub(at) < -s.how.little || isOnPath && s.how.isIdle && e.At != at):
			s.askAt(e.Proc, e.At, at)
		case e == nil && isOnPath && s.how.isIdle:
			s.askAt(s.proc(m.who), at, at)
		default:
			return
		}
	}
}

// askAt lets a process ask at a time, or a little later, if it was told before that there is
// nothing; and if it is at work behind its early settlement, lets that take longer.
func (s *solver) askAt(p model.Proc, before, at model.Time) {
	told := s.last(func(o *model.Event) bool {
		return o.Kind == model.Answered && o.Op == model.OpClaim && o.Proc == p && o.Answer == model.Empty && o.At < before
	})
	k, latency := s.worker(p), s.story.Network.Latency
	w, own := &s.story.Workers[k], &s.set.own[s.own(k)]
	if told == nil {
		if w.EarlyAck && before < at {
			w.Work += at.Sub(before)
			own.work = w.Work
		}
		return
	}
	asked := told.At.Add(-4 * latency) // it reads the pause flag first
	poll := at.Sub(asked)
	if s.how.isIdle {
		poll -= 3 * latency
	} else {
		poll = max(poll, w.Poll)
	}
	if poll > 0 {
		w.Poll, own.poll = poll, poll
	}
}

// tick lets a pump move the job of moment i at its time: neither the pump itself nor
// another one that would take it may come before.
func (s *solver) tick(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	want := s.free(i)
	if at, ok := s.seen(m); ok && at >= want-model.Time(s.how.little) {
		return
	}
	early := s.last(func(e *model.Event) bool {
		return e.Kind == model.Applied && isTick(e.Op) && e.At <= want && !s.isTold(i, e) && s.touches(e, m)
	})
	if early == nil {
		return
	}
	if early.Op == model.OpPromote {
		s.putOffPromote(i)
		return
	}
	period := inMillis(want.Sub(0)) + time.Second
	for k := range s.moments[:i] {
		if o := &s.moments[k]; o.op == early.Op {
			if at, ok := s.seen(o); ok && 2*at > want {
				period = at.Sub(0)
			}
		}
	}
	slow, q := &s.set.slow, &s.story.Queue
	if early.Op == model.OpReap {
		slow.reap, q.ReapEvery = period, period
	} else {
		slow.sweep, q.SweepEvery = period, period
	}
}

// putOffPromote makes the delay so long that no job is promoted before moment i.
func (s *solver) putOffPromote(i int) {
	at := s.free(i)
	for k := i - 1; k >= 0; k-- {
		if o := &s.moments[k]; o.job == s.moments[i].job && s.isScheduling(o) {
			if begun, ok := s.seen(o); ok {
				s.lengthen(o, inMillis(at.Sub(begun))+2*time.Second, true)
			}
			return
		}
	}
}

func isTick(op model.Op) bool {
	return op == model.OpReap || op == model.OpSweep || op == model.OpPromote
}

// isTold reports whether e is what a moment before i has left.
func (s *solver) isTold(i int, e *model.Event) bool {
	for k := range s.moments[:i] {
		if s.event(&s.moments[k]) == e {
			return true
		}
	}
	return false
}
