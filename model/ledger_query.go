package model

// Delivery is one applied claim as the ledger knows it.
type Delivery struct {
	Job     Job
	N       int32 // J#N, counted over all ids of the job
	ID      ID
	Worker  Proc  // who spoke the claim
	Token   Token // what the claim was given
	Until   Time  // the deadline as it stands, of the server's clock
	Ended   bool  // the lease has ended, for whatever reason
	Settled bool  // a settlement of it was accepted
}

// Servable reports whether a claim would find something: pending is not empty
// and the queue is not paused.
func (l *Ledger) Servable() bool { return len(l.pending.items()) > 0 && !l.paused }

// Paused reports whether the queue was last paused rather than resumed.
func (l *Ledger) Paused() bool { return l.paused }

// SetPaused corrects the pause flag. A queue that crashed and forgot a pause or
// a resume does not tell by its touches; who restored it knows.
func (l *Ledger) SetPaused(on bool) { l.paused = on }

// Pending returns the smallest pending id.
func (l *Ledger) Pending() (ID, bool) {
	i, ok := l.pending.min()
	return l.ids[i].id, ok
}

// NextDue returns the earliest deadline of the active ids and the earliest
// run-at of the scheduled ones, both of the server's clock; Never if there are
// none, or the queue was said to tell by itself (Facts.TellsDue).
func (l *Ledger) NextDue() (active, schedule Time) {
	active, schedule = Never, Never
	if _, k, ok := l.active.min(); ok {
		active = k.time()
	}
	if _, k, ok := l.schedule.min(); ok {
		schedule = k.time()
	}
	return active, schedule
}

// Standing returns where id stands; the zero Standing if it was never seen.
func (l *Ledger) Standing(id ID) Standing {
	i, _ := l.number(id)
	return l.ids[i].stands
}

// JobOf returns the job that id goes under, NoJob if it was never seen under one.
func (l *Ledger) JobOf(id ID) Job {
	i, _ := l.number(id)
	return l.ids[i].job
}

// Delivery returns J#N.
func (l *Ledger) Delivery(job Job, n int32) (Delivery, bool) {
	i := l.deliveryAt(job, n)
	if i == 0 {
		return Delivery{}, false
	}
	d := &l.deliveries[i]
	return Delivery{
		Job: d.job, N: d.n, ID: l.ids[d.id].id, Worker: d.worker, Token: d.token,
		Until: d.until, Ended: l.over(i), Settled: d.settled != 0,
	}, true
}

// deliveryAt returns the number of J#N. It walks from the last one, which is
// nearly always the one that is asked for.
func (l *Ledger) deliveryAt(job Job, n int32) int32 {
	if !l.knows(job) {
		return 0
	}
	d := l.jobs[job].last
	for d != 0 && l.deliveries[d].n > n {
		d = l.deliveries[d].ofJob
	}
	if l.deliveries[d].n != n {
		return 0
	}
	return d
}

func (l *Ledger) knows(job Job) bool { return job > NoJob && int(job) < len(l.jobs) }

// Effects returns how often the outside ledger changed under job.
func (l *Ledger) Effects(job Job) int {
	if !l.knows(job) {
		return 0
	}
	return int(l.jobs[job].effects)
}

// Deliveries returns how many claims of job the queue applied, over all its ids.
func (l *Ledger) Deliveries(job Job) int {
	if !l.knows(job) {
		return 0
	}
	return int(l.jobs[job].deliveries)
}

// Admitted reports whether a producer, or who spoke a raw enqueue, was told that
// job is in.
func (l *Ledger) Admitted(job Job) bool { return l.knows(job) && l.jobs[job].admitted != 0 }

// Disturbed returns the end of the last disturbance so far: T0 of drains.
func (l *Ledger) Disturbed() Time { return l.disturbed }

// The states of a job besides the names of sets and of pairs of sets.
const (
	StateGhost     = "ghost"
	StatePending   = "pending"
	StateActive    = "active"
	StateScheduled = "scheduled"
	StateDead      = "dead"
	StateRemoved   = "removed"
	StateCompleted = "completed"
	StateLost      = "lost"
	StateAbsent    = "absent"
	StateUnknown   = "unknown" // the queue does not tell what it touches
)

// State returns where job stands, in the words of a story's `expect state`. The
// first that fits over all ids of the job, so that the most alive of them
// speaks:
//
//   - ghost: an id is in a set without a full row, or has a row in no set;
//   - a pair such as pending+active: an id is in more than one set;
//   - pending, active, scheduled, dead: an id is in that set alone;
//   - removed: an operator removed the last incarnation of an id;
//   - completed: a complete was accepted, ever;
//   - lost: admitted, and none of these;
//   - absent: never admitted.
//
// Of a queue that tells no touches only dead, removed, completed and absent are
// known, by its answers; an admitted job is otherwise unknown.
func (l *Ledger) State(job Job) string {
	if !l.knows(job) {
		return StateAbsent
	}
	if l.blind {
		return l.stateByAnswers(job)
	}
	if place := l.place(job); place != "" {
		return place
	}
	return l.stateOutside(job, StateLost)
}

// place returns the state of a job that some set or row holds, or "".
func (l *Ledger) place(job Job) string {
	var pair, all Sets
	for i := l.jobs[job].first; i != 0; i = l.ids[i].next {
		s := l.ids[i].stands
		if ghostly(s) {
			return StateGhost
		}
		if severalSets(s.Sets) {
			pair = s.Sets
		}
		all |= s.Sets
	}
	if pair != 0 {
		return setsName(pair)
	}
	return setsName(all & -all) // the lowest bit: pending before active before scheduled before dead
}

// stateOutside returns the state of a job that is in no set; none if it was
// admitted and nothing is known to have ended it.
func (l *Ledger) stateOutside(job Job, none string) string {
	switch {
	case l.endedBy(job, removed):
		return StateRemoved
	case l.jobs[job].completed != 0:
		return StateCompleted
	case l.jobs[job].admitted != 0:
		return none
	}
	return StateAbsent
}

func (l *Ledger) stateByAnswers(job Job) string {
	if l.endedBy(job, dead) {
		return StateDead
	}
	return l.stateOutside(job, StateUnknown)
}

// endedBy reports whether the last incarnation of an id of job ended so.
func (l *Ledger) endedBy(job Job, how ending) bool {
	for i := l.jobs[job].first; i != 0; i = l.ids[i].next {
		if l.ids[i].end == how {
			return true
		}
	}
	return false
}

// ghostly reports whether an id that stands so is a ghost: a member without a
// full row, or a row in no set.
func ghostly(s Standing) bool {
	return s.Sets != 0 && s.Fields != FullRow || s.Sets == 0 && s.Fields != 0
}

// severalSets reports whether s holds two sets or more.
func severalSets(s Sets) bool { return s&(s-1) != 0 }

// setsName returns the names of the sets in s, joined by a plus.
func setsName(s Sets) string {
	name := ""
	for i, word := range [...]string{StatePending, StateActive, StateScheduled, StateDead} {
		if s&(1<<i) == 0 {
			continue
		}
		if name != "" {
			name += "+"
		}
		name += word
	}
	return name
}

// whole reports whether some id of job can still be found in the queue.
func (l *Ledger) whole(job Job) bool {
	for i := l.jobs[job].first; i != 0; i = l.ids[i].next {
		if l.ids[i].stands.Whole() {
			return true
		}
	}
	return false
}

// inHand reports whether a process that has not crashed was granted job and has
// not asked for another since.
func (l *Ledger) inHand(job Job) bool {
	for i := range l.procs {
		if d := l.procs[i].hand; d != 0 && l.deliveries[d].job == job {
			return true
		}
	}
	return false
}

// alive reports whether p has not crashed for ever.
func (l *Ledger) alive(p Proc) bool {
	return p <= NoProc || int(p) >= len(l.procs) || !l.procs[p].gone
}
