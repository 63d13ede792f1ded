package faults

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// reader reads one fault line into e.
type reader struct {
	*script.Args
	names Lookup
	e     Entry
}

// The verbs whose messages a plan can name. Of `apply` it means the call to an
// outside service.
var (
	messageOps = []string{"enqueue", "claim", "complete", "retry", "extend", "apply"}
	refuseOps  = []string{"apply"}
)

// maxNth bounds nth=: no run asks about one delivery so often.
const maxNth = 1_000_000

// message reads `OP J#N [nth=]`.
func (r *reader) message() {
	ops := messageOps
	if r.e.Outcome.Has(Refuse) {
		ops = refuseOps
	}
	word, ok := r.Choose("verb", ops)
	if !ok {
		r.Stop()
		return
	}
	p := &r.e.Point
	p.Family = Message
	p.Op, _ = model.ParseOp(word)
	r.delivery(p, p.Op == model.OpEnqueue)
}

// delay reads `OP J#N by= [nth=]`.
func (r *reader) delay() {
	r.message()
	r.Need("by", "45s")
	r.e.Outcome.By = r.Span("by", 0)
}

// duplicate reads `OP J#N after= [nth=]`.
func (r *reader) duplicate() {
	r.message()
	r.Need("after", "50ms")
	r.e.Outcome.After = r.Duration("after", 0)
}

// delivery reads `J#N [nth=]`, or the bare J of an enqueue.
func (r *reader) delivery(p *Point, bare bool) {
	p.Nth = int32(r.Int("nth", int64(p.plainNth()), 1, maxNth))
	name, n, ok := r.Args.Delivery()
	if !ok {
		return
	}
	switch {
	case bare && n > 0:
		r.Fail("an enqueue belongs to no delivery; leave out #%d", n)
	case !bare && n == 0:
		r.Fail("which delivery of %s? write J1#1 rather than J1", script.Quote(name))
	}
	p.Job, p.N = r.job(name), n
}

// plainNth is the Nth of a point whose line says none.
func (p *Point) plainNth() int32 {
	if p.Reply {
		return FirstReply
	}
	return 1
}

func (r *reader) job(name string) model.Job {
	j, ok := r.names.Job(name)
	if !ok {
		r.Unknown("job", name, r.names.JobNames())
	}
	return j
}

// proc reads the name of a process that something can befall. Without one,
// nothing else on the line has a meaning, and the reading stops.
func (r *reader) proc(like string) (model.Proc, Actor, bool) {
	name, ok := r.Operand("process", like)
	if !ok {
		r.Stop()
		return model.NoProc, Actor{}, false
	}
	p, ok := r.names.Proc(name)
	a := r.names.Actor(p)
	switch {
	case !ok:
		r.Unknown("process", name, r.names.ProcNames())
	case a.Role == RoleSpeaker:
		r.Fail("%s only speaks in `do` lines; declare it as a worker or a producer to make it fail", name)
	default:
		r.Title += " " + name
		return p, a, true
	}
	r.Stop()
	return model.NoProc, Actor{}, false
}

// window reads `time= for=` of a slot.
func (r *reader) window(kind SlotKind) {
	r.e.Point.Family, r.e.Point.Slot, r.e.Point.Nth = Slot, kind, 1
	r.Need("time", "3s")
	r.e.Outcome.At = model.Time(r.Duration("time", 0))
}

func (r *reader) lasting() {
	r.Need("for", "45s")
	r.e.Outcome.For = r.Span("for", 0)
}

// crash reads `W after=|before= J#N [restart=]` or `W time= [lose=] [restart=]`.
func (r *reader) crash() {
	p, a, ok := r.proc("w1")
	if !ok {
		return
	}
	r.place(p, a, SlotCrash)
	_, r.e.Outcome.Restarts = r.Option("restart")
	r.e.Outcome.Restart = r.Duration("restart", 0)
	if a.Role == RoleQueue { // a server that crashes comes back, at once unless told when
		r.e.Outcome.Restarts = true
		r.lose()
	}
}

// lose reads `lose=1s` (a window) or `lose=2w` (that many writes).
func (r *reader) lose() {
	s, ok := r.Option("lose")
	if !ok {
		return
	}
	digits, isWrites := strings.CutSuffix(s, "w")
	if !isWrites {
		r.e.Outcome.Lose.Window = r.Span("lose", 0)
		return
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 1 || n > maxNth {
		r.Fail("lose=%s must be a number of writes from 1w to %dw, or a duration", script.Quote(s), maxNth)
	}
	r.e.Outcome.Lose.Writes = int(n)
}

// pause reads `W after=|before= J#N for=` or `W time= for=`.
func (r *reader) pause() {
	p, a, ok := r.proc("w1")
	if !ok {
		return
	}
	if a.Role == RoleQueue {
		r.Fail("a queue does not stand still; crash it, or partition its clients")
	}
	r.place(p, a, SlotPause)
	r.lasting()
}

// place reads where a crash or a pause happens: after= or before= a step of a
// delivery, or time=. Exactly one of the three.
func (r *reader) place(p model.Proc, a Actor, kind SlotKind) {
	r.e.Point.Proc = p
	after, isAfter := r.Option("after")
	before, isBefore := r.Option("before")
	_, isTimed := r.Option("time")
	switch {
	case isTimed && !isAfter && !isBefore:
		r.window(kind)
	case a.Role != RoleWorker:
		r.Fail("it is no worker and has no steps; write time=12s")
		r.Stop()
	case isAfter && !isBefore && !isTimed:
		r.step(after, true, a)
	case isBefore && !isAfter && !isTimed:
		r.step(before, false, a)
	default:
		r.Fail("when? write one of after=apply J1#1, before=settle J1#1, time=12s")
		r.Stop()
	}
}

func (r *reader) step(name string, after bool, a Actor) {
	p := &r.e.Point
	p.Family, p.After = Step, after
	r.delivery(p, false)
	s, ok := model.ParseStep(name)
	if ok {
		p.Step, ok = r.names.Step(p.Proc, s)
	}
	switch {
	case !ok:
		r.Fail("%s", script.Unknown("step of its consumer", name, stepNames(a.Steps)))
	case p.Step == model.StepClaim && !after:
		r.Fail("before=claim is no point: until the claim is answered nobody knows which delivery it is; write after=claim")
	}
}

func stepNames(steps []model.Step) []string {
	var names []string
	for _, s := range steps {
		names = append(names, s.String())
	}
	return names
}

// stall reads `heartbeat W time= for=`.
func (r *reader) stall() {
	if _, ok := r.Choose("part that stalls", []string{"heartbeat"}); !ok {
		r.Stop()
		return
	}
	p, a, ok := r.proc("w1")
	switch {
	case !ok:
		return
	case a.Role != RoleWorker:
		r.Fail("only a worker has a heartbeat")
	case !a.Beats:
		r.Fail("its heartbeat is off; write heartbeat=10s on its worker line")
	}
	r.e.Point.Proc = p
	r.window(SlotStall)
	r.lasting()
}

// partition reads `A B time= for= [oneway]`. The queue stands last, except when
// the cut is one way and goes out from it.
func (r *reader) partition() {
	a, from, ok := r.proc("w1")
	if !ok {
		return
	}
	b, to, ok := r.proc("queue")
	if !ok {
		return
	}
	r.e.Outcome.Oneway = r.Flag("oneway")
	r.window(SlotPartition)
	r.lasting()
	if !linked(from.Role, to.Role) {
		r.Fail("no link to cut: messages pass between a worker or producer and the queue; the store is always within reach and the pump sits beside the queue")
	}
	if a == Queue && !r.e.Outcome.Oneway {
		a, b = b, a
	}
	r.e.Point.Proc, r.e.Point.Peer = a, b
}

func linked(a, b Role) bool {
	ends := []Role{RoleProducer, RoleWorker}
	return a == RoleQueue && slices.Contains(ends, b) || b == RoleQueue && slices.Contains(ends, a)
}

// clock reads `queue jump= time=`, a step, or `W skew=`, an offset from the
// start.
func (r *reader) clock() {
	p, a, ok := r.proc("w1")
	if !ok {
		return
	}
	r.e.Point.Proc = p
	switch a.Role {
	case RoleQueue:
		r.window(SlotClock)
		r.off("jump", "+60s")
	case RolePump:
		r.Fail("the pump reads the queue's clock; write `fault clock queue`")
		r.Stop()
	default:
		r.e.Point.Family, r.e.Point.Slot, r.e.Point.Nth = Slot, SlotClock, 1
		r.off("skew", "+5s")
	}
}

func (r *reader) off(key, like string) {
	if !r.Need(key, like) {
		return
	}
	r.e.Outcome.By = r.Offset(key, time.Nanosecond)
	if r.e.Outcome.By == 0 {
		r.Fail("%s=0s changes nothing", key)
	}
}
