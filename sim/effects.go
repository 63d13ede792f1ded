package sim

import (
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/model"
)

// Message is what travels between processes: a value. Label says what the
// history needs to know of it when the network loses it (Op, Job, ID, N, Call
// and Proc, the speaker of the request); the kernel fills in the rest.
type Message interface {
	Label() model.Event
}

// Process is one party of a simulation. Step must be a function of the
// process's own state, now and in: no clock, no randomness, no order of a map.
// Now is the process's own view of the time, skewed if its clock is.
type Process[M Message] interface {
	Step(now model.Time, in *Input[M], fx *Effects[M])

	// Crash drops all that is volatile. What is left is durable: a restart
	// begins with it, by an input of kind Restart. At is the true time.
	Crash(at model.Time, lost faults.Loss)
}

// Asker is a process at which some messages are decided on when they arrive,
// because their point is not known before (a claim names no job). PointOf
// returns the point, or false when the message is none there and then.
type Asker[M Message] interface {
	PointOf(now model.Time, in *Input[M]) (faults.Point, bool)
}

// InputKind says what a step is about.
type InputKind uint8

// The inputs of a step.
const (
	Start   InputKind = iota // the run begins
	Restart                  // the process comes back with what was durable
	Arrival                  // a message arrived
	Timer                    // a timer of the process ran out
	Next                     // the step that the process asked to take next
)

// Input is what one step is about.
type Input[M Message] struct {
	Kind    InputKind
	Slot    uint8      // Timer: which
	Copy    bool       // Arrival: the network doubled the message
	Raw     bool       // Arrival: it was injected from outside
	Refused bool       // Arrival, Next: the store is to refuse the effect
	Stalled bool       // Timer: it is the heartbeat's, and that stands still
	From    model.Proc // Arrival
	Msg     M          // Arrival
	life    int32      // Arrival: which life of From sent it
	nth     int32      // Arrival: the number of the request, which its reply shares
}

// Slots is how many timers a process has. Arming one that is armed moves it.
const Slots = 4

// Effects is what a step wants done. The kernel does it when the step has
// returned: first the sends, then the timers, then the next step.
type Effects[M Message] struct {
	sink  Sink
	event model.Event // what the sink is shown: a place that it cannot keep
	at    model.Time  // true time, for records
	proc  model.Proc
	asked bool // there is an adversary, who is asked about steps
	mail  postbag[M]
	sends []int32      // what was sent, by its place in mail
	arm   arming       // the timer that the step armed first, of nobody if none: mostly all that it arms
	arms  []arming     // the others
	more  bool         // the step wants more than that timer
	done  faults.Point // the step that is taken, if it has a name
	next  nextStep
}

// forget drops what a step that panicked wanted.
func (fx *Effects[M]) forget() {
	fx.sends, fx.arm.proc, fx.arms = fx.sends[:0], model.NoProc, fx.arms[:0]
	fx.more, fx.next.wanted, fx.done.Family = false, false, 0
}

type arming struct {
	proc model.Proc
	slot uint8
	at   model.Time // model.Never disarms
}

type nextStep struct {
	wanted bool
	asked  bool         // its point was asked before a pause held it up
	point  faults.Point // Step family, or zero for a step that has no name
	effect faults.Point // the apply that the store may refuse, or zero
}

// Sink takes the records of a run in the order in which things were done.
// Touched is valid during the call.
type Sink interface {
	// Record takes *e, which is valid during the call and may be changed.
	Record(e *model.Event, touched []model.Touch)
}

// Record writes e into the history at this instant, under the name of the
// process unless e names another.
func (fx *Effects[M]) Record(e model.Event, touched []model.Touch) {
	fx.event = e
	fx.Write(touched)
}

// Event returns an empty record, to be filled in place and written by Write. It is
// good until the next Event or Record of the step.
func (fx *Effects[M]) Event() *model.Event {
	fx.event = model.Event{}
	return &fx.event
}

// Write is Record for what Event returned last.
func (fx *Effects[M]) Write(touched []model.Touch) {
	fx.event.At = fx.at
	if fx.event.Proc == model.NoProc {
		fx.event.Proc = fx.proc
	}
	fx.sink.Record(&fx.event, touched)
}

// Way is how a message goes to another process.
type Way uint8

// The ways.
const (
	Link   Way = iota // over the link between: Send
	Late              // likewise, with a point that is known on arrival only: SendLate
	Beside            // from one to the other that stands beside it: Call
)

// Compose is Send, SendLate or Call for a message that is written in place: into
// *msg, whose content is old, and *point, all of it but Nth. Both are good until
// the step sends more.
func (fx *Effects[M]) Compose(to model.Proc, way Way) (msg *M, point *faults.Point) {
	e := fx.letter(to, [...]marks{Link: 0, Late: isLate, Beside: isLocal}[way])
	return &e.msg, &e.point
}

// ComposeReply is Reply for an answer that is written in place: see Compose.
func (fx *Effects[M]) ComposeReply(in *Input[M], local bool) (msg *M, point *faults.Point) {
	var marks marks
	if local {
		marks |= isLocal
	}
	if in.Raw {
		marks |= isRaw
	}
	if in.Copy {
		marks |= isSpare
	}
	e := fx.letter(in.From, marks)
	e.life, e.point.Nth = in.life, in.nth
	return &e.msg, &e.point
}

// Send sends a request over the link to another process. Point is its address:
// with a job, or for an enqueue, the adversary is asked about it at once.
func (fx *Effects[M]) Send(to model.Proc, msg M, point faults.Point) {
	e := fx.letter(to, 0)
	e.msg, e.point = msg, point
}

// SendLate is Send for a message whose point is known on arrival only: the
// receiver, an Asker, is asked for it then. Address tells it from others of the
// same sender, for the draw of its latency.
func (fx *Effects[M]) SendLate(to model.Proc, msg M, address faults.Point) {
	e := fx.letter(to, isLate)
	e.msg, e.point = msg, address
}

// Call sends a message to a process that stands beside this one: no latency, no
// partition. With a point the adversary may still lose, delay or double it.
func (fx *Effects[M]) Call(to model.Proc, msg M, point faults.Point) {
	e := fx.letter(to, isLocal)
	e.msg, e.point = msg, point
}

// Reply answers the request in, over the same link; its point has the number of
// the request. It is lost if the life of the process that asked is over. What
// answers an injected request reaches nobody, but may still be lost. What
// answers a copy is no point: nobody is asked about it.
func (fx *Effects[M]) Reply(in *Input[M], msg M, point faults.Point, local bool) {
	point.Nth = in.nth
	m, p := fx.ComposeReply(in, local)
	*m, *p = msg, point
}

// letter begins a letter of the step's to the process to.
func (fx *Effects[M]) letter(to model.Proc, marks marks) *envelope[M] {
	ref, e := fx.mail.take()
	fx.sends, fx.more = append(fx.sends, ref), true
	e.to, e.from, e.marks = to, fx.proc, marks
	e.life, e.point.Nth, e.job, e.n = anyLife, 0, model.NoJob, 0
	return e
}

// After arms a timer of this process d from now.
func (fx *Effects[M]) After(slot uint8, d time.Duration) { fx.At(fx.proc, slot, fx.at.Add(d)) }

// At arms a timer of proc at the true instant t, which is how the world wakes
// the parked; Never disarms it.
func (fx *Effects[M]) At(proc model.Proc, slot uint8, t model.Time) {
	if a := (arming{proc, slot, t}); fx.arm.proc == model.NoProc {
		fx.arm = a
	} else {
		fx.arms, fx.more = append(fx.arms, a), true
	}
}

// Disarm stops a timer of this process.
func (fx *Effects[M]) Disarm(slot uint8) { fx.At(fx.proc, slot, model.Never) }

// Done says that this step was the atomic step at p (its After is set by the
// kernel), for a step that began with an arrival: a crash or pause may follow.
func (fx *Effects[M]) Done(p faults.Point) {
	if fx.asked {
		fx.done, fx.more = p, true
	}
}

// Then asks for one more step of this process at this instant. P names it, so
// that a crash or a pause may stand before and after it; the zero Point is a
// step without a name. Effect, if not zero, is the apply that the store may be
// told to refuse.
func (fx *Effects[M]) Then(p, effect faults.Point) {
	fx.next.wanted, fx.more = true, true
	if fx.asked {
		fx.next.asked, fx.next.point, fx.next.effect = false, p, effect
	}
}

// Now returns the true instant, for what stands beside a process and has a
// clock of its own: the store, and the schedule of the world.
func (fx *Effects[M]) Now() model.Time { return fx.at }

// Self returns the process whose step this is, for one value that is the state of many.
func (fx *Effects[M]) Self() model.Proc { return fx.proc }

// Unfinished says that the named step goes on until an answer comes: what
// follows the step is not asked now but when a later step says Done.
func (fx *Effects[M]) Unfinished() { fx.done.Family = 0 }
