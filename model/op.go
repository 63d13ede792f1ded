package model

// Op is a verb of the queue's protocol, or a call to the outside service.
type Op uint8

// The verbs. Those up to OpExtend cross the network in a story; the others are
// spoken by the pump, by an operator or by `do` lines.
const (
	OpNone Op = iota
	OpEnqueue
	OpClaim
	OpComplete
	OpRetry
	OpExtend
	OpApply     // a call to the outside service, or any effect at the store
	OpReadPause // the pause flag, read by a worker before its claim
	OpDelay     // release to the schedule at now+Delay
	OpDelayAt   // release to the schedule at At
	OpEnqueueAt
	OpEnqueueIn
	OpClaimBatch
	OpExtendBatch
	OpPromote
	OpReap
	OpSweep // the stalled check
	OpRemove
	OpReprocess
	OpUpdateData
	OpPause
	OpResume
	OpDrain
	opCount
)

var opNames = [opCount]string{
	"none", "enqueue", "claim", "complete", "retry", "extend", "apply", "read-pause",
	"delay", "delay-at", "enqueue-at", "enqueue-in", "claim-batch", "extend-batch",
	"promote", "reap", "sweep", "remove", "reprocess", "update-data", "pause", "resume", "drain",
}

// String returns the verb as stories write it.
func (o Op) String() string { return nameOf(opNames[:], int(o)) }

// ParseOp returns the verb that name writes.
func ParseOp(name string) (Op, bool) {
	i, ok := indexOf(opNames[1:], name)
	return Op(i + 1), ok
}

// Settles reports whether o ends a delivery when it is accepted: complete,
// retry and delay in both forms.
func (o Op) Settles() bool {
	return o == OpComplete || o == OpRetry || o == OpDelay || o == OpDelayAt
}

// Admits reports whether o is one of the enqueues.
func (o Op) Admits() bool { return o == OpEnqueue || o == OpEnqueueAt || o == OpEnqueueIn }

// Answer is what a request was answered, as an enumeration so that every body of
// the queue says the same.
type Answer uint8

// The answers. LostRequest and LostReply are fates rather than answers: what a
// story may expect of a request that got none. UnknownAnswer stands for one
// that the protocol does not know (its words are in Reply.Err).
const (
	NoAnswer Answer = iota
	Enqueued
	Duplicate
	WrongKind
	Empty
	OK
	Scheduled
	DeadLettered
	Stale
	Gone
	Locked
	NotDead
	QueuePaused
	LostRequest
	LostReply
	UnknownAnswer
	answerCount
)

var answerNames = [answerCount]string{
	"none", "enqueued", "duplicate", "kind", "empty", "ok", "scheduled", "dead", "stale", "gone",
	"locked", "not-dead", "paused", "lost-request", "lost-reply", "unknown",
}

// String returns the answer as stories write it.
func (a Answer) String() string { return nameOf(answerNames[:], int(a)) }

// ParseAnswer returns the answer that name writes.
func ParseAnswer(name string) (Answer, bool) {
	i, ok := indexOf(answerNames[1:], name)
	return Answer(i + 1), ok
}

// Accepted reports whether a settling verb so answered ended its delivery.
func (a Answer) Accepted() bool { return a == OK || a == Scheduled || a == DeadLettered }

// nameOf returns names[i], or a word that shows the fault when there is none.
func nameOf(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return "invalid"
	}
	return names[i]
}

func indexOf(names []string, name string) (int, bool) {
	for i, n := range names {
		if n == name {
			return i, true
		}
	}
	return -1, false
}
