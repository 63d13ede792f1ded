package exhaust

import (
	"time"

	"github.com/ackgap/ackgap/model"
)

// claim lets idle workers ask so seldom that none gets the job of moment i before its
// time, and in some manners so that one asks right then.
func (s *solver) claim(m *moment, i int) {
	for range s.story.Workers {
		if s.run(); s.err != nil {
			return
		}
		e := s.event(m)
		if e == nil {
			return
		}
		late := s.free(i) - e.At
		if late <= model.Time(s.how.little) && (late == 0 || !s.how.isIdle) {
			return
		}
		k := s.worker(e.Proc)
		w, own := &s.story.Workers[k], &s.set.own[s.own(k)]
		poll, ok := s.pause(e, s.free(i))
		switch {
		case !ok && late > 0 && w.EarlyAck: // it is at work behind its settlement
			w.Work += time.Duration(late)
			own.work = w.Work
		case !ok || poll <= w.Poll && !s.how.isIdle || poll <= 0:
			return
		default:
			w.Poll, own.poll = poll, poll
		}
	}
}

// pause returns how seldom the worker has to ask whose claim e is not at its time, so that it
// asks at a time, or a little later. It is not ok if it did not wait to ask.
func (s *solver) pause(e *model.Event, at model.Time) (time.Duration, bool) {
	told := s.last(func(o *model.Event) bool {
		return o.Kind == model.Answered && o.Op == model.OpClaim && o.Proc == e.Proc && o.Answer == model.Empty && o.At < e.At
	})
	if told == nil {
		return 0, false
	}
	latency := s.story.Network.Latency
	asked := told.At.Add(-4 * latency) // it reads the pause flag first
	if s.how.isIdle {
		at = at.Add(-3 * latency)
	}
	return at.Sub(asked), true
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
