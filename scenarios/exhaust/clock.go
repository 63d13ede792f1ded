package exhaust

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// enqueue lets a job be sent at its time, or be sent again: then the producer has to
// wait so long for an answer.
func (s *solver) enqueue(i int) {
	m := &s.moments[i]
	if i == 0 {
		s.story.Jobs[m.job].At = 0
		if s.how.isIdle {
			s.story.Jobs[m.job].At = model.Time(4 * s.story.Network.Latency).Add(s.how.little)
		}
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
	p.Timeout = s.patience(at.Sub(s.story.Jobs[m.job].At), m.nth)
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
	if w.Heartbeat == 0 {
		s.isStuck = true // the job has come to a worker that has no heart
		return
	}
	own := &s.set.own[s.own(k)]
	if m.isTrail {
		s.trail(i, k, grant.At)
		return
	}
	if s.how.isExact {
		period := max(s.free(i).Sub(grant.At)/time.Duration(m.nth), time.Millisecond)
		w.Heartbeat, own.heartbeat = period, period
	}
	nth := max(m.nth, int32(s.free(i).Sub(grant.At)/w.Heartbeat)+1)
	if m.how != fine && s.how.isExact {
		nth = m.nth
	}
	if m.how != fine {
		s.renumber(i, nth)
	}
	if m.isCalling {
		s.callFor(m, k, grant.At.Add(time.Duration(nth)*w.Heartbeat))
		return
	}
	if m.isSent {
		s.waitFor(m, k, grant.At.Add(time.Duration(nth)*w.Heartbeat))
		return
	}
	if last := time.Duration(nth) * w.Heartbeat; w.Work <= last {
		w.Work = last + w.Heartbeat/2
		own.work = w.Work
	}
}

// renumber makes moment i the nth heartbeat of its delivery: a path leaves out those that
// change nothing, and a plan counts them.
func (s *solver) renumber(i int, nth int32) {
	s.moments[i].nth = nth
	for k := range s.moments {
		if o := &s.moments[k]; o.what == doArrive && o.delay == i {
			o.nth = nth
		}
	}
}

// beatBehind lets the work, or the wait before it is sent again, end right before a
// heartbeat, which then is sent while the settlement of moment i is on its way.
func (s *solver) beatBehind(i int) {
	m := &s.moments[i]
	if !m.isBeating {
		return
	}
	if s.run(); s.err != nil {
		return
	}
	claim, sent := s.claimOf(m), s.sent(m)
	if claim == nil || sent == nil {
		return
	}
	k, latency := s.worker(claim.Proc), s.story.Network.Latency
	w := &s.story.Workers[k]
	if w.Heartbeat == 0 {
		s.isStuck = true // the job has come to a worker that has no heart
		return
	}
	grant := claim.At.Add(latency)
	later := (sent.At+1).Next(grant, w.Heartbeat).Sub(sent.At) - latency
	if m.isTrailed { // so that others have time to speak
		later -= latency - s.justBefore()
	}
	s.putOff(i, k, later)
}

// justBefore is how long before the answer to a settlement a heartbeat is sent of which
// others have time to speak.
func (s *solver) justBefore() time.Duration { return min(s.story.Network.Latency/2, time.Millisecond) }

// sent returns the record that a settlement was sent.
func (s *solver) sent(m *moment) *model.Event {
	return s.last(func(e *model.Event) bool {
		return e.Kind == model.Sent && e.Op == m.op && s.isAbout(e, m) && e.N == int32(m.n) && e.Nth == m.nth
	})
}

// putOff sends the settlement of moment i so much later, or sooner and behind a later
// heartbeat: by the wait before it is sent again, by how long its worker stands still, or
// by its work.
func (s *solver) putOff(i, k int, later time.Duration) {
	m, w := &s.moments[i], &s.story.Workers[k]
	if m.nth > 1 {
		w.Timeout += later / time.Duration(m.nth-1)
		return
	}
	span := &w.Work
	if slept := s.slept(i); slept != nil {
		span = &slept.For
	}
	if *span += later; *span < 0 { // then before a later one
		*span += (-*span + w.Heartbeat - 1) / w.Heartbeat * w.Heartbeat
	}
	s.set.own[s.own(k)].work = w.Work
}

// trail lets moment i, a heartbeat that worker k sent before the answer to its settlement
// was there, come behind all that comes before it. What comes between waits for nobody, so
// that the settlement comes right before it.
func (s *solver) trail(i, k int, grant model.Time) {
	m, latency := &s.moments[i], s.story.Network.Latency
	if _, ok := s.seen(m); ok {
		return
	}
	settle := i - 1
	for s.moments[settle].what != doSettle || s.moments[settle].who != m.who {
		settle--
	}
	sent := s.sent(&s.moments[settle])
	if sent == nil {
		return
	}
	w, at := &s.story.Workers[k], s.free(i).Add(-latency)
	if isAtOnce := w.EarlyAck && s.moments[settle].nth == 1 && s.slept(settle) == nil; isAtOnce {
		s.flutter(k, at.Sub(grant))
		return
	}
	beat := at.Next(grant, w.Heartbeat)
	if beat.Sub(at) > latency-2*s.justBefore() {
		nth := max(at.Sub(grant)/w.Heartbeat, 1)
		w.Heartbeat = at.Sub(grant)/nth + 1
		s.set.own[s.own(k)].heartbeat, beat = w.Heartbeat, at
	}
	s.putOff(settle, k, beat.Sub(sent.At)-2*latency+s.justBefore())
}

// flutter sets the heartbeat of worker k so that one is sent so long after the grant, before its
// early settlement can be answered; where that is too late the solver is stuck.
func (s *solver) flutter(k int, after time.Duration) {
	w := &s.story.Workers[k]
	if s.isStuck = after > 2*s.story.Network.Latency; s.isStuck {
		return
	}
	w.Heartbeat = after/max(after/w.Heartbeat, 1) + 1
	s.set.own[s.own(k)].heartbeat = w.Heartbeat
}

// slept returns the pause of the delivery that moment i settles, if it had one: then the
// settlement is sent when that is over, however long the work.
func (s *solver) slept(i int) *faults.Outcome {
	m := &s.moments[i]
	for k := i - 1; k >= 0; k-- {
		if o := &s.moments[k]; o.what == doPause && o.job == m.job && o.n == m.n && o.who == m.who {
			return s.outcome(k)
		}
	}
	return nil
}

// waitFor lets worker k wait for the answer to its settlement until at.
func (s *solver) waitFor(m *moment, k int, at model.Time) {
	sent := s.last(func(e *model.Event) bool {
		return e.Kind == model.Sent && e.Op.Settles() && s.isAbout(e, m) && e.N == int32(m.n) && e.At <= at
	})
	if w := &s.story.Workers[k]; sent != nil && w.Timeout < far {
		w.Timeout = max(w.Timeout, at.Sub(sent.At)+s.how.little+2*s.story.Network.Latency)
	}
}

// callFor lets worker k wait for the outside service until at.
func (s *solver) callFor(m *moment, k int, at model.Time) {
	gaveUp := s.last(func(e *model.Event) bool {
		return e.Kind == model.TimedOut && e.Op == model.OpApply && s.isAbout(e, m) && e.N == int32(m.n)
	})
	if w := &s.story.Workers[k]; gaveUp != nil && gaveUp.At <= at && w.Timeout < far {
		w.Timeout += at.Sub(gaveUp.At) + s.how.little + 2*s.story.Network.Latency
	}
}

// giveUp lets a worker wait for the answer to its settlement until all is there that
// comes before.
func (s *solver) giveUp(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	claim := s.claimOf(m)
	if m.isCalling && claim != nil {
		s.callFor(m, s.worker(claim.Proc), s.free(i))
		return
	}
	if at, ok := s.seen(m); ok && claim != nil && at < s.free(i) {
		s.waitFor(m, s.worker(claim.Proc), s.free(i))
	}
}

// worker returns which of the story's workers a process is, and proc which process a worker
// of the world is.
func (s *solver) worker(p model.Proc) int { return int(p) - firstProducer - len(s.story.Producers) }

func (s *solver) proc(who uint8) model.Proc {
	return model.Proc(firstProducer + len(s.story.Producers) + s.own(int(who)))
}

// own returns which worker of the world the kth of the story is, and the other way round.
func (s *solver) own(k int) int {
	if s.how.turned {
		return len(s.story.Workers) - 1 - k
	}
	return k
}

// workOn makes the work of a worker last until all is there that comes before its
// next step, which would come too early.
func (s *solver) workOn(m *moment, i int) {
	if s.run(); s.err != nil {
		return
	}
	claim := s.claimOf(m)
	at, ok := s.seen(m)
	if !ok || claim == nil {
		return
	}
	k := s.worker(claim.Proc)
	w := &s.story.Workers[k]
	late := s.free(i).Sub(at)
	isFirst := m.what == doStep && m.step == s.w.workers[m.who].program[0] ||
		m.what == doSettle && m.nth == 1 && m.n <= s.w.jobs[m.job].fails
	if late > s.how.little || late < 0 && s.how.isExact && isFirst && w.Work+late > 0 {
		w.Work += late
		s.set.own[s.own(k)].work = w.Work
	}
}

// patience is the timeout with which the nth request is sent so long after the first.
// It is never so short that an answer in time would miss it.
func (s *solver) patience(after time.Duration, nth int32) time.Duration {
	net := &s.story.Network // which a manner may have made slower than the world's own
	return max(after/time.Duration(nth-1), 2*(net.Latency+net.Jitter)+time.Millisecond)
}

// wait makes the lease, or the delay, so long that its end can come after all that
// comes before moment i.
func (s *solver) wait(i int) {
	m := &s.moments[i]
	if s.run(); s.err != nil {
		return
	}
	if over, ok := s.lapsed(m); m.what != doPromote && ok && over >= s.free(i) {
		return // by its heartbeats
	}
	begun, at := -1, model.Time(0)
	for k := range s.moments[:i] {
		o := &s.moments[k]
		if o.job != m.job || m.what == doPromote && !s.isScheduling(o) || m.what != doPromote && !o.leases() {
			continue
		}
		if seen, ok := s.seen(o); ok {
			begun, at = k, seen
		}
	}
	if begun >= 0 {
		s.lengthen(&s.moments[begun], inMillis(s.free(i).Sub(at)), m.what == doPromote)
	}
}

// isScheduling reports whether m lets its job be promoted later.
func (s *solver) isScheduling(m *moment) bool {
	return m.op == model.OpRetry || m.op == model.OpDelay || m.op == model.OpEnqueue && s.w.jobs[m.job].delayed
}

// lengthen makes what m begins last so long: a lease, or what is to be promoted behind
// it, by the retry-delay or the delay of a job.
func (s *solver) lengthen(m *moment, long time.Duration, isPromoted bool) {
	slow, q := &s.set.slow, &s.story.Queue
	switch {
	case !isPromoted:
		slow.lease = max(slow.lease, long)
		q.Lease = slow.lease
	case m.op == model.OpEnqueue:
		slow.delay[m.job] = max(slow.delay[m.job], long)
		s.story.Jobs[m.job].Delay = slow.delay[m.job]
	default:
		slow.retryDelay = max(slow.retryDelay, long)
		q.RetryDelay = slow.retryDelay
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
		w.Timeout = s.patience(s.free(i).Sub(e.At), m.nth)
	}
}
