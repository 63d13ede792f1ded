package exhaust

import (
	"time"

	"github.com/ackgap/ackgap/model"
)

// enqueue lets a job be sent at its time, or be sent again: then the producer has to
// wait so long for an answer.
func (s *solver) enqueue(i int) {
	m := &s.moments[i]
	if i == 0 {
		return
	}
	if s.run(); s.err != nil {
		return
	}
	at := s.free(i)
	if m.nth == 1 {
		s.story.Jobs[m.job].At = at
		return
	}
	p := &s.story.Producers[int(s.story.Jobs[m.job].By)-firstProducer]
	p.Timeout = patience(at.Sub(s.story.Jobs[m.job].At), m.nth)
}

// beat makes the work of a worker last until its heartbeat has come so often, and in
// some manners lets the heartbeat come in its place.
func (s *solver) beat(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	grant := s.last(func(e *model.Event) bool {
		return e.Kind == model.Answered && e.Op == model.OpClaim && s.isAbout(e, m) && e.N == int32(m.n)
	})
	if grant == nil {
		return
	}
	k := s.worker(grant.Proc)
	w := &s.story.Workers[k]
	if s.how.isExact {
		period := max(s.free(i).Sub(grant.At)/time.Duration(m.nth), time.Millisecond)
		w.Heartbeat, s.set.heartbeat[s.own(k)] = period, period
	}
	if m.isSent { // it waits for the answer to its settlement so long
		w.Timeout = max(w.Timeout, s.free(i).Sub(grant.At)+2*w.Heartbeat)
		return
	}
	if last := time.Duration(m.nth) * w.Heartbeat; w.Work <= last {
		w.Work = last + w.Heartbeat/2
		s.set.work[s.own(k)] = w.Work
	}
}

// worker returns which of the story's workers a process is, and own which it is in
// the world.
func (s *solver) worker(p model.Proc) int { return int(p) - firstProducer - len(s.story.Producers) }

func (s *solver) own(k int) int {
	if s.how.turned {
		return len(s.story.Workers) - 1 - k
	}
	return k
}

// workOn makes the work of a worker last until all is there that comes before its
// next step, which would come too early.
func (s *solver) workOn(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	claim := s.event(&moment{deed: deed{what: doClaim, job: m.job, n: m.n}})
	at, ok := s.seen(m)
	if !ok || claim == nil {
		return
	}
	k := s.worker(claim.Proc)
	w := &s.story.Workers[k]
	late := s.free(i).Sub(at)
	isFirst := m.what == doStep && m.step == s.w.workers[m.who].program[0] ||
		m.what == doSettle && m.nth == 1 && m.n <= s.w.jobs[m.job].fails
	if late > 0 || late < 0 && s.how.isExact && isFirst && w.Work+late > 0 {
		w.Work += late
		s.set.work[s.own(k)] = w.Work
	}
}

// patience is the timeout with which the nth request is sent so long after the first.
// It is never so short that an answer in time would miss it.
func patience(after time.Duration, nth int32) time.Duration {
	return max(after/time.Duration(nth-1), 10*time.Millisecond)
}

// wait makes the lease, or the retry-delay, so long that its end can come after all
// that comes before moment i.
func (s *solver) wait(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	begun := model.Time(-1)
	for k := range s.moments[:i] {
		o := &s.moments[k]
		isLease := o.op == model.OpClaim || o.op == model.OpExtend
		isDelay := o.op == model.OpRetry || o.op == model.OpDelay
		if o.job == m.job && (m.what != doPromote && isLease || m.what == doPromote && isDelay) {
			if at, ok := s.seen(o); ok {
				begun = at
			}
		}
	}
	long := inMillis(s.free(i).Sub(begun))
	switch {
	case begun < 0:
	case m.what == doPromote:
		s.set.retryDelay = max(s.set.retryDelay, long)
		s.story.Queue.RetryDelay = s.set.retryDelay
	default:
		s.set.lease = max(s.set.lease, long)
		s.story.Queue.Lease = s.set.lease
	}
}

// settleAgain lets a worker send its settlement again at its time.
func (s *solver) settleAgain(i int) {
	m := &s.moments[i]
	if m.nth == 1 {
		return
	}
	if s.run(); s.err != nil {
		return
	}
	e := s.last(func(e *model.Event) bool {
		return e.Kind == model.Sent && e.Op == m.op && s.isAbout(e, m) && e.N == int32(m.n) && e.Nth == 1
	})
	if e == nil {
		s.isStuck = true
		return
	}
	for k := range s.story.Workers {
		w := &s.story.Workers[k]
		w.Timeout = patience(s.free(i).Sub(e.At), m.nth)
	}
}
