package model

import "sort"

// eventsPerJob is how many may become evidence of a job of which nothing is lost:
// its enqueue, its admission, its claim, its effect and its completion.
const eventsPerJob = 5

// Ledger is what is true now: the fold of a history, brought up to date once
// per event. It is omniscient (it sees what no party sees) and it trusts no
// queue further than what the queue was seen to change.
//
// Ids and jobs are kept apart: the machine's properties are about an id, the
// mission's about an intent, which may go under several ids.
//
// The numbers that link its records are indexes, and 0 is none everywhere. A
// ledger allocates when its slices grow and at no other time. A claim-batch and
// an extend-batch change standings only: no story speaks them.
type Ledger struct {
	queue Proc // whose ClockSet steps the server's clock
	blind bool // the queue tells no touches
	timed bool // active and schedule are kept, for NextDue

	thinAt int // at so many deliveries thin is called; 0 is never

	index      IDTable
	indexed    int  // so many of ids are in the index, which follows when it is asked
	mixed      bool // ids do not rise, so that the index is asked
	highest    ID   // no id is above it
	ids        []idRecord
	jobs       []jobRecord // by Job; 0 gathers what belongs to none
	deliveries []delivery
	kept       []Event // events that may become evidence
	procs      []procRecord

	pending          idLine
	active, schedule minHeap

	here  int32   // the id of the event at hand
	moved []int32 // the ids that it touched, in the order of its touches
	proof int32   // the event at hand in kept, once it is kept

	server    Time  // the highest reading ever of the server's clock
	skew      int64 // the offset of the server's clock, nanoseconds
	lag       Time  // how far below the highest reading it was last set back
	disturbed Time  // the end of the last disturbance
	paused    bool
}

// idRecord is one id.
type idRecord struct {
	id     ID
	job    Job
	next   int32 // the next id of the same job
	stands Standing
	claims int32 // in this incarnation
	opened int32 // the event that opened it
	end    ending
	ended  int32 // the event that ended it
	last   int32 // the last delivery
}

// ending is how an incarnation ended.
type ending uint8

const (
	notEnded ending = iota
	completed
	dead
	removed
)

// terminal reports whether nothing but an operator or a new enqueue may move
// the incarnation.
func (e ending) terminal() bool { return e == completed || e == dead }

// jobRecord is one intent, over all its ids.
type jobRecord struct {
	first      int32 // the chain of its ids
	ids        int32
	admitted   int32 // the event that said so, the first time
	completed  int32 // the first accepted complete
	effect     int32 // the first effect
	effects    int32
	deliveries int32
	last       int32 // the last delivery
	settled    Time  // when an id of it last came to an end
	passed     int32 // up to this delivery those that are missing were settled, and dropped by thin
	sparse     bool  // its deliveries are not numbered 1, 2, 3: which are missing cannot be told
}

// delivery is one applied claim, J#N.
type delivery struct {
	id      int32
	job     Job
	n       int32
	worker  Proc
	token   Token
	until   Time  // the deadline, of the server's clock
	ended   bool  // before the deadline, by a settlement or an operator
	claim   int32 // the event
	set     int32 // the event that set the deadline
	own     bool  // set is kept for this delivery alone
	settled int32 // the event of its accepted settlement
	ofJob   int32 // the delivery before it of the same job
}

// procRecord is one process.
type procRecord struct {
	hand int32 // the delivery that it was last granted and has not let go
	gone bool  // crashed for ever
}

// NewLedger returns the ledger of a run in which nothing has happened.
func NewLedger(facts Facts) *Ledger {
	l := &Ledger{}
	l.Reset(facts)
	return l
}

// Reset empties l for another run and keeps its memory.
func (l *Ledger) Reset(facts Facts) {
	l.index.Clear()
	jobs := len(facts.Fails) + 1
	*l = Ledger{
		queue:      facts.Queue,
		blind:      !facts.Toucher,
		timed:      !facts.TellsDue,
		index:      l.index,
		ids:        append(Room(l.ids, jobs), idRecord{}),
		jobs:       append(Room(l.jobs, jobs), jobRecord{}),
		deliveries: append(Room(l.deliveries, jobs), delivery{}),
		indexed:    1, // 0 is none
		kept:       append(Room(l.kept, eventsPerJob*jobs), Event{}),
		procs:      l.procs[:0],
		thinAt:     thinAt(facts),
		pending:    l.pending,
		active:     l.active,
		schedule:   l.schedule,
		moved:      l.moved[:0],
	}
	l.pending.reset()
	l.active.reset()
	l.schedule.reset()
}

func thinAt(facts Facts) int {
	if facts.Forgets {
		return thinFrom
	}
	return 0
}

// Observe folds e and what it touched into l.
func (l *Ledger) Observe(e *Event, touched []Touch) {
	l.arrive(e, touched)
	l.fold(e, touched)
}

// arrive is the first half of Observe: it looks up whom e is about and reads
// the clock, and changes nothing else. Between the halves a property sees the
// world as e found it.
func (l *Ledger) arrive(e *Event, touched []Touch) {
	if l.thinAt > 0 && len(l.deliveries) >= l.thinAt {
		l.thin()
	}
	l.here, l.moved, l.proof = 0, l.moved[:0], 0
	l.readClock(e)
	for i := range touched {
		l.moved = append(l.moved, l.recordOf(touched[i].ID, e.Job))
	}
	if !e.ID.IsZero() && l.concernsID(e) {
		l.here = l.recordOf(e.ID, e.Job)
		l.bind(l.here, e.Job)
	}
}

// concernsID reports whether e tells something about an id. The other kinds
// are told about by job, and the look-up is saved.
func (l *Ledger) concernsID(e *Event) bool {
	return e.Kind == Applied || e.Kind == Admitted || e.Kind == Sent && e.Op.Admits()
}

// readClock raises the highest reading. Before the clock steps, what it showed
// until then is read once more: leases end once and for all.
func (l *Ledger) readClock(e *Event) {
	switch {
	case e.Kind == Applied:
		l.server = max(l.server, e.Server)
	case e.Kind == ClockSet && e.Proc == l.queue:
		l.server = max(l.server, (e.At + Time(l.skew)).FloorMillis(), e.Server)
		l.skew, l.lag = e.Skew, l.server-e.Server
	}
}

// recordOf returns the number of id, which it enters when it is new. Most likely
// it is the last id of the job, whose record is at hand, where the index is not.
func (l *Ledger) recordOf(id ID, job Job) int32 {
	if l.knows(job) {
		if i := l.jobs[job].first; i != 0 && l.ids[i].id == id {
			return i
		}
	}
	if l.highest.Compare(id) < 0 {
		l.highest = id
	} else {
		if i, ok := l.number(id); ok {
			return i
		}
		l.mixed = true
	}
	l.ids = append(l.ids, idRecord{id: id})
	return int32(len(l.ids) - 1)
}

// number returns the number of id, if it has one: by halving as long as ids rise. Few
// are asked for: a new one is mostly above all others, and a known one the last of its
// job.
func (l *Ledger) number(id ID) (int32, bool) {
	if !l.mixed {
		i := sort.Search(len(l.ids), func(i int) bool { return l.ids[i].id.Compare(id) >= 0 })
		if i == 0 || i == len(l.ids) || l.ids[i].id != id {
			return 0, false
		}
		return int32(i), true
	}
	for ; l.indexed < len(l.ids); l.indexed++ {
		l.index.Put(l.ids[l.indexed].id, int32(l.indexed))
	}
	return l.index.Get(id)
}

// bind says that the id at i goes under job, unless it is known whose it is.
func (l *Ledger) bind(i int32, job Job) {
	if job <= NoJob || l.ids[i].job != NoJob {
		return
	}
	j := l.job(job)
	l.ids[i].job, l.ids[i].next = job, j.first
	j.first = i
	j.ids++
}

// job returns the record of j, which it enters when it is new.
func (l *Ledger) job(j Job) *jobRecord {
	j = max(j, NoJob)
	for len(l.jobs) <= int(j) {
		l.jobs = append(l.jobs, jobRecord{})
	}
	return &l.jobs[j]
}

// proc returns the record of p, which it enters when it is new.
func (l *Ledger) proc(p Proc) *procRecord {
	p = max(p, NoProc)
	for len(l.procs) <= int(p) {
		l.procs = append(l.procs, procRecord{})
	}
	return &l.procs[p]
}

// keep copies e, so that it can be shown as evidence, and returns its number.
func (l *Ledger) keep(e *Event) int32 {
	if l.proof == 0 {
		l.proof = int32(len(l.kept))
		l.kept = append(l.kept, *e)
	}
	return l.proof
}
