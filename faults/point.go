package faults

import (
	"time"

	"github.com/ackgap/ackgap/model"
)

// Family is one of the three kinds of points.
type Family uint8

// The families.
const (
	Message Family = iota + 1 // a request or its reply: Op, Reply, Job, N, Nth
	Step                      // before or after an atomic step: Proc, Step, After, Job, N, Nth
	Slot                      // asked once at the start: Slot, Proc, Peer, Nth
)

// SlotKind names what a slot may hold: at most one window or one instant.
type SlotKind uint8

// The slots.
const (
	SlotCrash     SlotKind = iota + 1 // Proc crashes at a time (the queue with lost writes)
	SlotPause                         // Proc stands still from a time on
	SlotStall                         // Proc's heartbeat stands still
	SlotPartition                     // the link between Proc and Peer is cut
	SlotClock                         // Proc's clock is off, or steps at a time
)

// Point is one place at which something may go wrong: a comparable value, the
// same in every run of the same story.
type Point struct {
	Family Family
	Op     model.Op   // Message
	Reply  bool       // Message: the reply rather than the request
	Step   model.Step // Step
	After  bool       // Step: after rather than before
	Slot   SlotKind   // Slot
	Proc   model.Proc // Step, Slot: who
	Peer   model.Proc // SlotPartition: the other end
	Job    model.Job  // Message, Step: which job
	N      int32      // Message, Step: which delivery; 0 for an enqueue
	Nth    int32      // the how manyeth such point, from 1; of a reply, the number of its request; FirstReply in plans
}

// FirstReply is the Nth of a reply in a plan that names no number: the first
// reply there is, be it that the requests before it were lost.
const FirstReply = 0

// Kinds says what happens at a point, as a bit set: a message may be both late
// and doubled.
type Kinds uint16

// The kinds of faults.
const (
	Drop      Kinds = 1 << iota // a message is lost
	Delay                       // a message arrives By later
	Duplicate                   // a second copy arrives After later
	Crash                       // a process loses all that is volatile
	Pause                       // a process stands still For so long
	Stall                       // a heartbeat stands still For so long
	Partition                   // a link is cut For so long
	Clock                       // a clock steps, or is off, By so much
	Refuse                      // the store refuses the effect
)

// Outcome is what happens at a point. The zero Outcome is benign: nothing.
type Outcome struct {
	Kinds   Kinds
	By      time.Duration // Delay: later by; Clock: the step or the offset, may be negative
	After   time.Duration // Duplicate: the copy arrives this much after the original would have
	At      model.Time    // slots: when it begins
	For     time.Duration // Pause, Stall, Partition: how long
	Restart time.Duration // Crash with Restarts: how long it stays down
	Lose    Loss          // Crash of the queue: which writes are forgotten

	Restarts bool // Crash: it comes back
	Oneway   bool // Partition: only from Proc to Peer
}

// Loss says which writes a crashing queue forgets: those applied in the last
// Window, or the last Writes of them.
type Loss struct {
	Window time.Duration
	Writes int
}

// Has reports whether all of k happen.
func (o Outcome) Has(k Kinds) bool { return o.Kinds.Has(k) }

// Has reports whether all of some are in k.
func (k Kinds) Has(some Kinds) bool { return k&some == some }

// Benign reports whether nothing happens.
func (o Outcome) Benign() bool { return o.Kinds == 0 }

// Adversary decides what happens at each point. Decide must be a function of
// the point (and of the adversary's own seed or plan): it is asked once for
// each point of a run, in no order that it could lean on.
type Adversary interface {
	Decide(Point) Outcome
}

// Selective is an Adversary that can say beforehand that nothing happens at any
// point of a sort, so that such points need not be counted.
type Selective interface {
	Adversary
	// Asks reports whether something may happen at points such as p, whatever
	// its job, delivery and number.
	Asks(p Point) bool
}
