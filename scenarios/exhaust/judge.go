package exhaust

import (
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// The properties are those of model's table, on the few facts that a state holds of
// its history. TestTheJudgesAgree holds them against model.Judge on random paths,
// event by event.

// index of each property in the list that names are looked up in.
type property uint8

const (
	noLoss property = iota
	noDuplicateEffect
	staleTokenRejected
	settledOnce
	onePlace
	noGhost
	tokensRise
	singleHolder
	terminalAbsorbing
	admissionHonest
	attemptsBounded
	deliveriesBounded
	mintOrder
	deadlineMonotone
	workConserving
	sawRedelivery
	sawStaleRefused
	sawExpiry
	sawMarkerSkip
	propertyCount
)

var propertyNames = [propertyCount]string{
	"no-loss", "no-duplicate-effect", "stale-token-rejected", "settled-once", "one-place", "no-ghost",
	"tokens-rise", "single-holder", "terminal-absorbing", "admission-honest", "attempts-bounded",
	"deliveries-bounded", "mint-order", "deadline-monotone", "work-conserving",
	"saw-redelivery", "saw-stale-refused", "saw-expiry", "saw-marker-skip",
}

// isReach reports whether p is something to be seen rather than to be kept.
func (p property) isReach() bool { return p >= sawRedelivery }

// said is what a request was besides its words.
type said struct {
	raw    bool // spoken beside the workers, by a `do` line
	copied bool // a late letter or a copy: nobody waits for the answer
}

// broken reports a breach about job j.
func (st *step) broken(p property, j uint8) {
	st.hits = append(st.hits, explore.Hit{Property: uint8(p), Group: st.group(j)})
}

// seen reports what a reach claim looks for.
func (st *step) seen(p property, j uint8) { st.broken(p, j) }

func (st *step) breach(there bool, p property, j uint8) {
	if there {
		st.broken(p, j)
	}
}

// group tells root causes apart: the same verb, spoken while the job stood in the
// same sets, with the same sort of row.
func (st *step) group(j uint8) uint32 {
	var stands model.Standing
	if st.q != nil {
		stands = st.q.stands[j]
	} else {
		stands = st.w.queue(st.s).stands[j]
	}
	row := uint32(1) // half a row
	switch stands.Fields {
	case 0:
		row = 0
	case model.FullRow:
		row = 2
	}
	return uint32(st.verb)<<8 | uint32(stands.Sets)<<2 | row
}

// request lets the queue apply l, and judges what it did.
func (st *step) request(l letter, place uint8, how said) {
	a := ask{op: l.op, job: l.job, token: l.token, place: place}
	switch l.op {
	case model.OpClaim, model.OpReap, model.OpPromote, model.OpSweep, model.OpDrain, model.OpPause, model.OpResume:
		a.job = 0
	}
	switch l.op {
	case model.OpRetry:
		a.max = st.w.maxAttempts
	case model.OpSweep:
		a.max = st.w.maxStalled
	}
	st.q, st.verb, st.about, st.said = st.w.queue(st.s), l.op, l.job, how
	if st.w.machine.clocked && (l.op.Settles() || l.op == model.OpExtend) {
		a.due = st.s.due
	}
	st.e = st.w.machine.edge(st.s.queue, a)
	job := l.job
	if l.op == model.OpClaim {
		job = st.e.job
	}
	st.before(l, job)
	st.move(job)
	st.w.trace.applied(st, l, job)
	st.fold(l, job)
	st.postponed(l)
	st.after(l, job)
}

// move takes the world to the queue's next state. Members of active that are over
// their deadline come first, and stay so; one that is new there, or is leased anew,
// is not over.
func (st *step) move(job uint8) {
	if st.e.writes && st.w.scope.forgets() {
		st.s.past[1] = st.s.past[0]
		st.s.past[0] = restored{queue: st.s.queue, due: st.s.due}
		if st.e.answer == model.OK && (st.verb == model.OpClaim || st.verb == model.OpExtend) {
			st.s.past[0].relet = 1 << job
		}
	}
	old := st.q.active[:st.s.due]
	st.s.queue = st.e.to
	next := st.w.queue(st.s)
	due := uint8(0)
	for int(due) < len(next.active) && st.wasDue(old, next.active[due]) {
		due++
	}
	st.s.due = due
}

// wasDue reports whether j was beyond its deadline, and is not leased anew.
func (st *step) wasDue(old []uint8, j uint8) bool {
	isAnew := st.e.answer == model.OK && (st.verb == model.OpExtend && j == st.about || st.verb == model.OpClaim && j == st.e.job)
	return slices.Contains(old, j) && !isAnew
}

// before judges what is judged of the world as the request found it.
func (st *step) before(l letter, job uint8) {
	j, q, e := &st.s.jobs[job], st.q, &st.e
	switch {
	case l.op == model.OpClaim:
		st.beforeClaim(j, job)
	case l.op.Admits():
		stood := q.stands[job].Fields == model.FullRow
		opens := e.answer == model.Enqueued || e.answer == model.Scheduled
		st.breach(e.answer == model.Duplicate && !stood || opens && stood, admissionHonest, job)
	case l.op.Settles() || l.op == model.OpExtend:
		st.beforeToken(l, j)
	case l.op == model.OpReap || l.op == model.OpSweep:
		st.breach(e.moved, sawExpiry, job)
	}
	st.revived(l, job)
}

func (st *step) beforeClaim(j *job, at uint8) {
	if st.e.answer != model.OK {
		st.breach(st.q.first >= 0 && !st.q.paused, workConserving, uint8(max(st.q.first, 0)))
		return
	}
	st.breach(j.n > 0 && st.e.token <= j.tokens[max(j.n, 1)-1], tokensRise, at)
	st.breach(j.n > 0 && !j.has(isOver), singleHolder, at)
	st.breach(st.w.bounds && j.claims >= st.w.maxAttempts, deliveriesBounded, at)
	st.breach(j.n > 0, sawRedelivery, at)
}

// beforeToken judges who speaks for a delivery.
func (st *step) beforeToken(l letter, j *job) {
	accepted := st.e.answer.Accepted()
	touches := st.e.touched>>l.job&1 == 1
	if l.n > 0 && j.n > l.n {
		st.breach(accepted || touches, staleTokenRejected, l.job)
	}
	if l.op == model.OpRetry && accepted && j.end == notEnded && j.claims > 0 {
		spent := j.claims >= st.w.maxAttempts
		st.breach(spent != (st.e.answer == model.DeadLettered), attemptsBounded, l.job)
	}
	if l.op == model.OpExtend {
		live := l.n == j.n && !j.has(isOver)
		st.breach(st.e.answer == model.OK && live && st.e.shorter, deadlineMonotone, l.job)
	} else if accepted && l.n > 0 {
		st.breach(j.settled>>l.n&1 == 1, settledOnce, l.job)
	}
	st.breach(st.e.answer == model.Stale, sawStaleRefused, l.job)
}

// revived judges whether what was over for good goes on.
func (st *step) revived(l letter, job uint8) {
	opens := l.op.Admits() && (st.e.answer == model.Enqueued || st.e.answer == model.Scheduled)
	if l.op == model.OpReprocess || l.op == model.OpRemove || l.op == model.OpDrain || opens {
		return
	}
	speaks := l.op == model.OpClaim && st.e.answer == model.OK || l.op.Settles() && st.e.answer.Accepted()
	if speaks && st.s.jobs[job].end.terminal() {
		st.broken(terminalAbsorbing, job)
		return
	}
	next := st.w.machine.state(st.e.to)
	for i := range st.w.jobs {
		if st.s.jobs[i].end.terminal() && st.q.stands[i].Sets != next.stands[i].Sets {
			st.broken(terminalAbsorbing, uint8(i))
			return
		}
	}
}

// after judges what is judged of the world as the request left it.
func (st *step) after(l letter, job uint8) {
	next := st.w.queue(st.s)
	for i := range st.w.jobs {
		if st.e.touched>>i&1 == 0 {
			continue
		}
		stands := next.stands[i]
		st.breach(stands.Sets&(stands.Sets-1) != 0, onePlace, uint8(i))
		st.breach(stands.Sets != 0 && stands.Fields != model.FullRow || stands.Sets == 0 && stands.Fields != 0, noGhost, uint8(i))
		st.loss(uint8(i))
	}
	switch {
	case l.op == model.OpRetry && st.e.answer.Accepted() && st.e.touched>>job&1 == 1:
		spent := next.stands[job].Attempts >= model.Token(st.w.maxAttempts)
		st.breach(spent != (st.e.answer == model.DeadLettered), attemptsBounded, job)
	case l.op == model.OpClaim && st.e.answer == model.OK && next.lowest >= 0 && next.lowest < int(job):
		st.broken(mintOrder, uint8(next.lowest))
	}
}

// loss judges the first half of no-loss: what was admitted can be found, or its end
// is known.
func (st *step) loss(i uint8) {
	j := &st.s.jobs[i]
	st.breach(j.has(isAdmitted) && !j.has(isCompleted) && j.end != removed && !st.w.queue(st.s).stands[i].Whole(), noLoss, i)
}

// doomed returns, as bits, the jobs that broke the second half of no-loss: they are
// completed and gone, the outside ledger never changed, and nobody is left who
// could still change it.
func (w *World) doomed(s *State) (jobs uint8) {
	q := w.queue(s)
	for i := range w.jobs {
		j := &s.jobs[i]
		if j.effects > 0 || !j.has(isCompleted) || !j.has(isAdmitted) || !j.has(isSent) || j.end == removed || len(w.workers) == 0 {
			continue
		}
		if q.stands[i].Sets == 0 && q.stands[i].Fields == 0 && !w.isSpokenOf(s, uint8(i)) {
			jobs |= 1 << i
		}
	}
	return jobs
}

// isSpokenOf reports whether a worker holds job i, or a letter about it is on its
// way.
func (w *World) isSpokenOf(s *State, i uint8) bool {
	for k := range w.workers {
		if s.workers[k].holds() && s.workers[k].job == i {
			return true
		}
	}
	for _, l := range s.letters() {
		if l.job == i && l.op != model.OpClaim {
			return true
		}
	}
	return false
}

// doom reports the jobs that are doomed now and were not before.
func (st *step) doom(before uint8) {
	for now := st.w.doomed(st.s) &^ before; now != 0; now &= now - 1 {
		i := uint8(0)
		for now>>i&1 == 0 {
			i++
		}
		st.broken(noLoss, i)
	}
}
