package model

import "time"

// Token is a fencing token (Kleppmann, "How to do distributed locking", 2016):
// a number that rises with each claim, so that what an earlier holder says can
// be told from what the present one says. EchoMQ's is the row's `attempts`.
type Token int64

// Request is one request to a queue, as a value. Only the fields that its Op
// names are read.
type Request struct {
	Op      Op
	ID      ID            // which job; none for claims, pumps and queue-wide verbs
	Token   Token         // settling verbs and extend: the token that the speaker holds
	Lease   time.Duration // claim, extend: how long from the server's now; > 0
	Delay   time.Duration // enqueue-in, retry, delay: from the server's now; >= 0
	At      Time          // enqueue-at, delay-at: the caller's instant
	Max     int           // retry: dead at this many attempts; sweep: dead at this many lapses
	Limit   int           // claim-batch, promote, reap, sweep: at most so many; 0 is the verb's own limit
	All     bool          // drain: the schedule too
	Payload string        // enqueues, update-data; untrusted
	Error   string        // retry: the text of the handler's error; untrusted
	Batch   []Holding     // extend-batch: the pairs

	// Clock is the speaker's own, in whole milliseconds, as it stands when the
	// request is applied: what a queue goes by whose clients reckon the deadlines.
	// An exhaustive search has one clock, and leaves it zero.
	Clock Time
}

// Holding names one delivery by id and token.
type Holding struct {
	ID    ID
	Token Token
}

// Grant is one job as a claim hands it out.
type Grant struct {
	Holding
	Until   Time   // the lease ends at this instant of the server's clock
	Payload string // untrusted
	Bare    bool   // the row has no payload: a claim of an id without a row
}

// Reply is the answer to one request, as a value.
type Reply struct {
	Answer Answer
	Grant          // claim: what was granted; extend: Until; retry and delay: Until is the run-at
	Moved  int     // promote, reap, sweep: recovered or moved; drain: removed
	Dead   int     // sweep: dead-lettered
	Batch  []Grant // claim-batch: the grants; extend-batch: the pairs that were refused
	Err    string  // UnknownAnswer only: the words of the server; untrusted
}

// Queue is a queue under judgement: one atomic transition a request. Now is the
// server's clock, in whole milliseconds. Apply must be a function of the state
// and its arguments alone: no clock, no randomness, no order of a map.
//
// What a Queue can do beyond that, it says by implementing Toucher, Peeker,
// Snapshotter, Resetter, Cloner, StateAppender, Renamer, Duer, Failer or Closer; each says
// what is unknown without it.
type Queue interface {
	Apply(now Time, req Request) Reply
}

// Toucher tells what the last Apply changed. Without it every property that
// reads rows or sets is unknown (no-loss's first half, one-place, no-ghost,
// terminal-absorbing, admission-honest, mint-order, work-conserving), and idle
// workers and pumps have to poll.
type Toucher interface {
	// Touched lists each id whose row or sets the last Apply changed, once, in
	// the order of the first change. An id that stands as it stood before, row
	// and sets, is not listed. The slice is valid until the next Apply.
	Touched() []Touch
}

// Peeker tells which id a claim would be served there and then. Without it a
// fault on a claim request is decided for the smallest pending id.
type Peeker interface {
	Peek(now Time) (ID, bool)
}

// Snapshotter shows the whole keyspace in a canonical order. Without it reports
// cannot show the queue's state and two bodies cannot be compared.
type Snapshotter interface {
	Snapshot() Snapshot
}

// Resetter empties the queue. Without it no story can crash the queue with lost
// writes: the broker restores what is kept by reset and replay.
type Resetter interface {
	Reset()
}

// Cloner copies the queue with all its state. Without it the queue cannot be
// explored exhaustively.
type Cloner interface {
	Clone() Queue
}

// StateAppender appends a canonical encoding of the state to b: equal states,
// equal bytes. Without it the queue cannot be explored exhaustively.
type StateAppender interface {
	AppendState(b []byte) []byte
}

// Renamer gives every id, every deadline and every run-at of the state another
// name. A queue that only compares them, and computes now+d, cannot tell two names
// from each other that keep their order; so an exhaustive search may count states
// as one that differ in nothing else. The functions must tell apart what was apart.
// Without it the queue cannot be explored exhaustively.
type Renamer interface {
	Rename(id func(ID) ID, deadline, runAt func(Time) Time)
}

// Failer tells whether the queue can still be asked: a server can be lost. From
// the first error on Err returns it, and what the queue answered since must not
// be judged. Without it every answer is judged.
type Failer interface {
	Err() error
}

// Closer gives back what the queue holds outside of memory: a connection, a
// server, keys. Nothing may be asked of it afterwards. Without it there is
// nothing to give back.
type Closer interface {
	Close() error
}

// Sets says in which of a queue's four sets an id is a member, as a bit set.
type Sets uint8

// The four sets of a flat queue.
const (
	InPending Sets = 1 << iota
	InActive
	InSchedule
	InDead
)

// Fields says which of the fields that every row must have a row has. No field
// means that there is no row.
type Fields uint8

// The fields that admission writes.
const (
	HasState Fields = 1 << iota
	HasAttempts
	HasPayload

	FullRow = HasState | HasAttempts | HasPayload
)

// Standing is where one id stands: its row in short and its sets.
type Standing struct {
	Sets     Sets
	Fields   Fields
	Attempts Token
	Deadline Time // score in active, a server instant; 0 when not a member
	RunAt    Time // score in schedule; 0 when not a member
}

// Whole reports whether the id is in a set and has a full row: the job can
// still be found.
func (s Standing) Whole() bool { return s.Sets != 0 && s.Fields == FullRow }

// Touch is one id that an Apply changed, with its standing before and after.
type Touch struct {
	ID            ID
	Before, After Standing
}

// Snapshot is a whole keyspace: rows by id, members by (score, id).
type Snapshot struct {
	Rows                            []Row
	Pending, Active, Schedule, Dead []Member
	Paused                          bool
	Completed, Failed               int // the two counters of the metrics
}

// Row is one job row: its fields as they stand on the wire, by name.
type Row struct {
	ID     ID
	Fields []Field
}

// Field is one field of a row.
type Field struct{ Name, Value string }

// Member is one member of a set with its score in Unix milliseconds (0 in
// pending and dead).
type Member struct {
	ID    ID
	Score int64
}

// Duer tells when a pump could first find something to do, by the server's
// clock: a lease to reap or sweep, and a job to promote (Never where there is
// none). Without it that is read off the scores of the members of active and
// schedule, which is right for a queue whose pump goes by them.
type Duer interface {
	NextDue() (lapse, run Time)
}
