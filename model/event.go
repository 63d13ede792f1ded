package model

import "math/bits"

// Proc is a process of a run: an index into Names.Procs. NoProc is nobody, the
// world itself.
type Proc int16

// NoProc is the world: what faults do is recorded under it.
const NoProc Proc = 0

// Job is one intent to have work done: the Jth job of a story, counted from 1.
// An intent may go under several ids (a producer with fresh-id). NoJob is none.
type Job int32

// NoJob is no job.
const NoJob Job = 0

// Kind says what happened, in the past tense.
type Kind uint8

// The kinds of events. Behind each: who writes it, and which fields of Event it
// fills besides Seq, At, Kind, Proc, Op, Job, ID and N.
const (
	NoKind    Kind = iota
	Sent           // the speaker: a request left. Call, Token, Nth
	Lost           // the network: a message of Call did not arrive. IsReply, Cause, IsCopy
	Applied        // the queue: a request took effect (Proc is the speaker). Call, Answer, Token, Server, Until, Max, IsCopy, Moved, Dead, touches
	Answered       // the speaker: the answer arrived. Call, Answer, Token, Until, IsLate when it was void
	TimedOut       // the speaker: no answer in time. Call
	Admitted       // the producer: it was told that the job is in. Answer
	Checked        // the store: a marker was read. IsFound
	Marked         // the store: a marker was written. IsFound when it stood already
	Effected       // the store: the outside ledger changed. Effect is its ordinal under the job, Token
	Absorbed       // the store: a step changed nothing outside. Cause
	Failed         // a worker: the handler returned an error. Cause
	Crashed        // the world: the process lost what was volatile. Until is when it restarts, or Never
	Restarted      // the world: a crashed process runs again; for a queue with the touches of what it forgot
	Paused         // the world: the process stands still. Until is when it wakes
	Woke           // the world: it goes on
	Stalled        // the world: only the heartbeat of Proc stands still. Until
	Cut            // the world: nothing passes between Proc and Peer (Proc to Peer if IsOneway). Until
	Healed         // the world: it passes again
	ClockSet       // the world: a clock is off or stepped. Skew is the whole offset from then on; Server the queue's new reading
	Ended          // the world: the run is over. Cause is Quiet, Horizon or Limit
	kindCount
)

var kindNames = [kindCount]string{
	"none", "sent", "lost", "applied", "answered", "timed-out", "admitted", "checked", "marked", "effect",
	"absorbed", "failed", "crashed", "restarted", "paused", "woke", "stalled", "cut", "healed", "clock-set", "ended",
}

// String returns the word that histories print.
func (k Kind) String() string { return nameOf(kindNames[:], int(k)) }

// Cause says why a message was lost, a step changed nothing, a handler failed
// or a run ended.
type Cause uint8

// The causes.
const (
	NoCause     Cause = iota
	ByFault           // Lost: a planned drop
	ByChance          // Lost: the network's own loss
	ByPartition       // Lost: the link was cut
	ByDeath           // Lost: the receiver was dead, or of a later incarnation
	ByOutage          // Lost: the server was down
	ByMarker          // Absorbed: the marker was there
	ByUpsert          // Absorbed: the row was there
	ByFence           // Absorbed: the store refused a token lower than the highest seen
	ByKey             // Absorbed: the outside service knew the key
	ByRefusal         // Failed: the store refused the effect
	ByHandler         // Failed: the job's handler was told to fail
	BySilence         // Failed: the outside service did not answer
	Quiet             // Ended: nothing left to happen
	Horizon           // Ended: the horizon cut the run
	Limit             // Ended: the limit of steps cut the run
	ByError           // Failed: the handler, somebody's Go code, returned an error
	causeCount
)

var causeNames = [causeCount]string{
	"none", "fault", "chance", "partition", "death", "outage", "marker", "upsert", "fence", "key",
	"refusal", "handler", "silence", "quiet", "horizon", "limit", "error",
}

// String returns the word that histories print.
func (c Cause) String() string { return nameOf(causeNames[:], int(c)) }

// Step is an atomic step of a worker, between any two of which it can crash or
// stand still.
type Step uint8

// The steps. Those from StepRead on belong to the codemojex scorer; StepRead and
// those from StepWrite on are the calls of a handler that is Go code.
const (
	NoStep Step = iota
	StepClaim
	StepCheck
	StepMark
	StepApply
	StepSettle
	StepRead
	StepInsert
	StepCount
	StepBoard
	StepPublish
	StepClose
	StepPay
	StepWrite
	StepCommit
	StepSleep
	stepCount
)

var stepNames = [stepCount]string{
	"none", "claim", "check", "mark", "apply", "settle",
	"read", "insert", "count", "board", "publish", "close", "pay", "write", "commit", "sleep",
}

// String returns the step as stories write it.
func (s Step) String() string { return nameOf(stepNames[:], int(s)) }

// ParseStep returns the step that name writes.
func ParseStep(name string) (Step, bool) {
	i, ok := indexOf(stepNames[1:], name)
	return Step(i + 1), ok
}

// Event is one record of a history, as a value: one thing done by one party.
// The party that would be harmed writes the record: the producer writes Admitted
// when it is told so, the store writes Effected.
//
// The fields stand so that they take least memory, and so that of those which the digest
// takes as one word no two are read as one: what was just written as two would have to
// reach the cache first.
type Event struct {
	Seq    int32 // its place in the history, from 1
	Job    Job
	At     Time // true virtual time
	Kind   Kind
	Flags  Flags
	Cause  Cause
	Answer Answer
	Step   Step // the step that it was part of, if any
	Op     Op
	Proc   Proc  // who did it, or whom it befell
	Nth    int32 // the how manyeth such request it is
	N      int32 // the delivery J#N; 0 when there is none
	ID     ID
	Token  Token
	Server Time  // the server's clock, whole milliseconds
	Until  Time  // a deadline, a run-at, or when a window closes; of the server's clock in Applied and Answered
	Skew   int64 // ClockSet: nanoseconds
	Peer   Proc  // Cut, Healed: the other end
	Call   int32 // links Sent, Lost, Applied, Answered and TimedOut of one request; 0 for raw ones
	Moved  int32 // reap, promote, sweep, drain: how many
	Max    int32 // retry: the cap it named; enough to judge the answer
	Dead   int32 // sweep: how many of them were dead-lettered
	Effect int32 // Effected: 1 for the job's first effect, 2 for a duplicate
}

// Flags are the yes-or-no facts of an event.
type Flags uint8

// The flags.
const (
	IsReply  Flags = 1 << iota // Lost: the reply, not the request
	IsCopy                     // the message is a copy that the network made
	IsLate                     // Answered: after the timeout, so that it is void
	IsFound                    // Checked, Marked: the marker was there
	IsOneway                   // Cut: only from Proc to Peer
	IsRaw                      // Applied, Lost: spoken by a `do` line
)

// isCut reports whether e ends a run that was not quiet yet.
func (e *Event) isCut() bool { return e.Kind == Ended && e.Cause != Quiet }

// cutter names what cut the run that e ends.
func (e *Event) cutter() string {
	if e.Cause == Limit {
		return "the limit of steps"
	}
	return "the horizon"
}

// Has reports whether all of f are set.
func (e *Event) Has(f Flags) bool { return e.Flags&f == f }

// Names are the words behind the small integers of a history; they are needed
// at its edges only. Index 0 of Procs and Jobs is unused.
type Names struct {
	Procs []string
	Jobs  []string
}

// Proc returns the name of p, and "world" for NoProc.
func (n *Names) Proc(p Proc) string {
	if p <= NoProc || int(p) >= len(n.Procs) {
		return "world"
	}
	return n.Procs[p]
}

// Job returns the name of j, and "-" for none.
func (n *Names) Job(j Job) string {
	if j <= NoJob || int(j) >= len(n.Jobs) {
		return "-"
	}
	return n.Jobs[j]
}

// History is the omniscient ledger of one run: one record per thing done by any
// party, in the order in which they were done. It is what properties fold over.
type History struct {
	Names   Names
	Events  []Event
	Touches []Span // which touches belong to Events[i], parallel to Events
	Touched []Touch
	Digest  Digest
	noted   int32
}

// Span is a half-open range of History.Touched.
type Span struct{ From, To int32 }

// Add appends e, gives it its number and returns it.
func (h *History) Add(e Event, touched []Touch) *Event {
	e.Seq = int32(len(h.Events) + 1)
	from := int32(len(h.Touched))
	h.Touched = append(h.Touched, touched...)
	h.Events = append(h.Events, e)
	h.Touches = append(h.Touches, Span{from, int32(len(h.Touched))})
	h.Digest.Add(&e)
	return &h.Events[len(h.Events)-1]
}

// Note is Add without keeping e: it is numbered, and the digest covers it. Touches
// and TouchedBy know nothing of it.
func (h *History) Note(e *Event) {
	h.noted++
	e.Seq = h.noted
	h.Digest.Add(e)
}

// Reset empties h for another run and keeps its memory.
func (h *History) Reset() {
	h.Names, h.Digest, h.noted = Names{}, 0, 0
	h.Events, h.Touches, h.Touched = h.Events[:0], h.Touches[:0], h.Touched[:0]
}

// TouchedBy returns what the event with number seq changed in the queue.
func (h *History) TouchedBy(seq int32) []Touch {
	s := h.Touches[seq-1]
	return h.Touched[s.From:s.To]
}

// Digest is a rolling digest of a history. It covers the records and nothing
// else: no name, no text of a server, no wall time, so that all bodies of a
// queue share it.
type Digest uint64

// Add folds e into d, field by field. The touches are left out: they are what
// the queue says of itself and follow from the answers. So is Seq, which is the
// place of e among what was added.
func (d *Digest) Add(e *Event) {
	h := uint64(*d)
	h = fold(h, uint64(e.At))
	h = fold(h, uint64(e.Kind)|uint64(e.Op)<<8|uint64(e.Answer)<<16|uint64(e.Cause)<<24|
		uint64(e.Step)<<32|uint64(e.Flags)<<40)
	h = fold(h, uint64(uint16(e.Proc))|uint64(uint16(e.Peer))<<16|uint64(uint32(e.Job))<<32)
	h = fold(h, uint64(uint32(e.N))|uint64(uint32(e.Nth))<<32)
	h = fold(h, uint64(uint32(e.Call))|uint64(uint32(e.Max))<<32)
	h = fold(h, uint64(uint32(e.Moved))|uint64(uint32(e.Dead))<<32)
	h = fold(h, uint64(uint32(e.Effect))|uint64(e.ID.NS[0])<<32|uint64(e.ID.NS[1])<<40|uint64(e.ID.NS[2])<<48)
	h = fold(h, e.ID.Value)
	h = fold(h, uint64(e.Token))
	h = fold(h, uint64(e.Server))
	h = fold(h, uint64(e.Until))
	h = fold(h, uint64(e.Skew))
	*d = Digest(Mix(h))
}

// fold takes one more word into a rolling hash: one multiplication a word, and
// Mix once an event for what a multiplication leaves in the high bits.
func fold(h, word uint64) uint64 {
	return bits.RotateLeft64(h^word, 29) * 0x9E3779B97F4A7C15
}

// String returns d as 16 hexadecimal digits.
func (d Digest) String() string {
	const hex = "0123456789abcdef"
	var b [16]byte
	for i := range b {
		b[i] = hex[uint64(d)>>(60-4*i)&15]
	}
	return string(b[:])
}
