package model

import (
	"slices"
	"strconv"
	"time"
)

// everyJobEnds is the property drains: liveness made checkable by a bound. With T0
// the end
// of the last disturbance, every job is terminal at T0 + B, where
//
//	B       = lag + lease + reap-every + sweep-every + silence + (1 + sum of turns) * attempt
//	lag     = how far below its highest reading the server's clock was last set back
//	silence = the longest timeout * (1 + settle-retries) of a worker
//	turns   = for each id of a job that was not terminal at T0: the failures that its job has left, plus 1
//	attempt = poll + (4 + 2*steps)*latency + work + retry-delay + promote-every, of the slowest worker
//
// It is an upper bound: workers are taken one after the other, each lease as
// lost once, and one attempt that was under way at T0 as wasted. A pump that is
// off adds nothing, for then a run ends quiet, which needs no bound. Only live
// workers count, unless none lives.
//
// With work (and its messages) as long as the lease and no heartbeat that is heard
// before it is over there is no bound: the lease may lapse under every delivery
// (livelock). That cannot be told from slow work before B, and is broken from there.
func everyJobEnds(l *Ledger, m *moment) finding {
	if len(m.facts.Workers) == 0 {
		return beside
	}
	stuck, known := l.stuckJobs()
	stuck = slices.DeleteFunc(stuck, func(j Job) bool { return m.mayBeBuried(l, j) })
	switch {
	case known == 0:
		return beside
	case len(stuck) == 0:
		return fine
	}
	cause := "the run went quiet"
	if m.event.isCut() {
		if m.event.At < l.disturbed.Add(m.drainBound(l)) {
			return m.found(unsure, stuck[0], m.event.cutter()+" e1 cut the run before the bound of drains had passed", m.event)
		}
		cause = m.event.cutter() + " cut the run after the bound of drains had passed"
		if m.mayLivelock(l) {
			cause += ", which does not hold where a worker's work is as long as the lease and no heartbeat of its own is heard in time (livelock)"
		}
	}
	return m.tellStuck(l, cause, stuck)
}

// stuckJobs lists the jobs that are not terminal, and counts all that came into
// sight of the queue or of a producer that was told so.
func (l *Ledger) stuckJobs() (stuck []Job, known int) {
	for j := 1; j < len(l.jobs); j++ {
		switch l.State(Job(j)) {
		case StateAbsent:
			continue
		case StateDead, StateRemoved, StateCompleted:
		default:
			stuck = append(stuck, Job(j))
		}
		known++
	}
	return stuck, known
}

// mayBeBuried reports whether job was claimed as often as the queue promises at
// most. A queue that does not tell what it touches has then given it up, as far as
// can be seen, which is an end.
func (m *moment) mayBeBuried(l *Ledger, job Job) bool {
	return m.facts.BoundsDeliveries && !m.facts.Toucher && l.deliveriesBefore(job, Never) >= m.facts.MaxAttempts
}

// mayLivelock reports whether a live worker's work may outlast its lease.
func (m *moment) mayLivelock(l *Ledger) bool {
	for i := range m.facts.Workers {
		w := &m.facts.Workers[i]
		if l.alive(w.Proc) && !w.beatsInTime(m.facts) && w.Work+w.messages(m.facts.Latency) >= m.facts.Lease {
			return true
		}
	}
	return false
}

// beatsInTime reports whether the first heartbeat is heard before the lease is
// over. The lease runs from the claim, the heartbeat from the grant's receipt, so
// that the way of a message counts twice.
func (w *WorkerFacts) beatsInTime(f *Facts) bool {
	return w.Heartbeat > 0 && w.Heartbeat+2*f.Latency < f.Lease
}

// messages is how long the messages of one delivery take: claim and settlement,
// there and back, and as much for each step, which may be a call.
func (w *WorkerFacts) messages(latency time.Duration) time.Duration {
	return time.Duration(4+2*w.Steps) * latency
}

// drainBound returns B.
func (m *moment) drainBound(l *Ledger) time.Duration {
	f := m.facts
	silence, attempt := m.slowest(l)
	attempt += f.RetryDelay + f.PromoteEvery
	turns := 1
	for j := 1; j < len(l.jobs); j++ {
		turns += m.turns(l, Job(j))
	}
	return time.Duration(l.lag) + f.Lease + f.ReapEvery + f.SweepEvery + silence + time.Duration(turns)*attempt
}

// slowest returns the longest silence and the longest attempt of the live
// workers, or of all if none lives.
func (m *moment) slowest(l *Ledger) (silence, attempt time.Duration) {
	none := !m.anyAlive(l)
	for i := range m.facts.Workers {
		w := &m.facts.Workers[i]
		if none || l.alive(w.Proc) {
			silence = max(silence, w.Timeout*time.Duration(1+w.SettleRetries))
			attempt = max(attempt, w.Poll+w.messages(m.facts.Latency)+w.Work)
		}
	}
	return silence, attempt
}

// allAreBusy reports whether each of workers that lives has its hand full.
func (l *Ledger) allAreBusy(workers []WorkerFacts) bool {
	return !slices.ContainsFunc(workers, func(w WorkerFacts) bool {
		return l.alive(w.Proc) && (int(w.Proc) >= len(l.procs) || l.procs[w.Proc].hand == 0)
	})
}

func (m *moment) anyAlive(l *Ledger) bool {
	for i := range m.facts.Workers {
		if l.alive(m.facts.Workers[i].Proc) {
			return true
		}
	}
	return false
}

// turns returns how many deliveries job needed after T0, over all its ids.
func (m *moment) turns(l *Ledger, job Job) int {
	r := &l.jobs[job]
	if r.settled < l.disturbed && l.terminal(job) {
		return 0
	}
	left := 0
	if int(job) < len(m.facts.Fails) {
		left = max(0, m.facts.Fails[job]-l.deliveriesBefore(job, l.disturbed))
	}
	return int(r.ids) * (left + 1)
}

func (l *Ledger) terminal(job Job) bool {
	s := l.State(job)
	return s == StateDead || s == StateRemoved || s == StateCompleted
}

// deliveriesBefore returns how many claims of job were applied before at.
func (l *Ledger) deliveriesBefore(job Job, at Time) int {
	count := 0
	for d := l.jobs[job].last; d != 0; d = l.deliveries[d].ofJob {
		if l.kept[l.deliveries[d].claim].At < at {
			count++
		}
	}
	return count
}

// maxStuckTold is how many stuck jobs a witness tells one by one.
const maxStuckTold = 8

// tellStuck says why each stuck job is stuck.
func (m *moment) tellStuck(l *Ledger, cause string, stuck []Job) finding {
	says := cause + ", and not every job is terminal"
	var evidence []*Event
	for _, job := range stuck[:min(len(stuck), maxStuckTold)] {
		who := "a job that no enqueue let in"
		if e := l.firstSeen(job); e != nil {
			evidence = append(evidence, e)
			who = "the job of e" + strconv.Itoa(len(evidence))
		}
		says += "; " + who + " is " + m.whyStuck(l, job)
	}
	if rest := len(stuck) - maxStuckTold; rest > 0 {
		says += "; and " + strconv.Itoa(rest) + " more"
	}
	says += "; e" + strconv.Itoa(len(evidence)+1) + " ended the run"
	return m.found(hit, stuck[0], says, append(evidence, m.event)...)
}

// firstSeen returns the event that let job in.
func (l *Ledger) firstSeen(job Job) *Event {
	if at := l.jobs[job].admitted; at != 0 {
		return &l.kept[at]
	}
	for i := l.jobs[job].first; i != 0; i = l.ids[i].next {
		if at := l.ids[i].opened; at != 0 {
			return &l.kept[at]
		}
	}
	return nil
}

// whyStuck explains the state of one job by what would have to act on it.
func (m *moment) whyStuck(l *Ledger, job Job) string {
	state := l.State(job)
	switch state {
	case StateGhost:
		return "a ghost: no set holds it with a full row"
	case StateLost:
		return "lost: it is in no set"
	case StateUnknown:
		return "without an end that the queue's answers would tell"
	}
	return state + m.whatFails(l, job, state)
}

// whatFails names the first thing that keeps a job in its state.
func (m *moment) whatFails(l *Ledger, job Job, state string) string {
	f := m.facts
	pump := !l.alive(f.Pump)
	switch {
	case !l.alive(f.Queue):
		return ", and the queue is down for good"
	case state == StatePending && l.paused:
		return ", and the queue is paused"
	case state != StateScheduled && !m.anyAlive(l):
		return ", and no worker is alive"
	case state == StateActive && (pump || f.ReapEvery == 0 && f.SweepEvery == 0):
		return ", and no pump takes it back when its lease has lapsed"
	case state == StateScheduled && (pump || f.PromoteEvery == 0):
		return ", and no pump promotes it"
	case state == StatePending && l.allAreBusy(f.Workers):
		return ", and each worker that lives was granted a job and has not asked for another since"
	case state == StateActive && l.inHand(job):
		return ", and the worker that was granted it has not asked for another since"
	}
	return " still, though nothing known stands in its way"
}
