package simtest

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
)

// guard stands before a queue of one's own, whose answers are input like any other:
// a panic, an id that nobody enqueued, or an answer that there is not, ends what is
// known of it. It is asked no more in that world, and the check fails with the
// complaint.
type guard struct {
	queue  model.Queue
	seen   map[model.ID]bool // that somebody wanted to enqueue
	sent   map[parcel]bool   // and with what
	hands  map[model.ID]hand // what it has handed out
	tried  *tried
	within string // the method that it is in, "" between them
	failed error  // the first complaint
}

// parcel is a job and what it carries.
type parcel struct {
	id      model.ID
	payload string
}

func (g *guard) Apply(now model.Time, req model.Request) (rep model.Reply) {
	if g.failed != nil {
		return model.Reply{Answer: model.Empty}
	}
	if req.Op.Admits() {
		g.seen[req.ID] = true
	}
	if req.Op.Admits() || req.Op == model.OpUpdateData {
		g.sent[parcel{req.ID, req.Payload}] = true
	}
	g.ask(req.Op.String(), func() { rep = g.queue.Apply(now, req) })
	if g.failed != nil {
		return rep
	}
	if g.failed = g.complaint(now, req.Op, &rep); g.failed != nil {
		return model.Reply{Answer: model.Empty}
	}
	g.tried.count(g.hands, &req, &rep)
	return rep
}

// complaint says what is wrong with an answer that no run can go on with.
func (g *guard) complaint(now model.Time, op model.Op, rep *model.Reply) error {
	if _, known := model.ParseAnswer(rep.Answer.String()); !known {
		return fmt.Errorf("the queue answered %s at %s with an answer that there is not (number %d): return one of model.Answer", op, now, rep.Answer)
	}
	if op == model.OpClaim && rep.Answer == model.OK && !g.seen[rep.ID] {
		return fmt.Errorf("the queue served %q to a claim at %s, an id that nobody enqueued in this world: a claim hands out what an enqueue let in, or answers %s; does newQueue return an empty queue each time, and does Reset forget everything?", rep.ID.String(), now, model.Empty)
	}
	if err := queuetest.CheckAnswer(op, rep.Answer); err != nil && g.Err() == nil {
		return fmt.Errorf("the queue answered a verb at %s as it cannot: %w", now, err)
	}
	if op == model.OpClaim && rep.Answer == model.OK && !g.sent[parcel{rep.ID, rep.Payload}] {
		return fmt.Errorf("the queue served %s to a claim at %s with the payload %q, with which nobody enqueued it: a job keeps what it was let in with, in each of its deliveries", rep.ID, now, model.Safe(rep.Payload))
	}
	return nil
}

// ask calls a method of the queue.
func (g *guard) ask(method string, call func()) {
	g.within = method
	defer g.caught()
	call()
	g.within = ""
}

// caught takes a panic of the queue for its failure, and that it ended the goroutine: then
// it is within a method still.
func (g *guard) caught() {
	p, within := recover(), g.within
	g.within = ""
	switch {
	case g.failed != nil || within == "":
	case p != nil:
		g.failed = fmt.Errorf("the queue panicked in %s: %s", within, panicText(p))
	default:
		g.failed = fmt.Errorf("the queue ended the test's goroutine in %s (runtime.Goexit, or t.FailNow and what calls it): let it return", within)
	}
}

// Err returns why nothing is known of the queue any more.
func (g *guard) Err() (err error) {
	f, ok := g.queue.(model.Failer)
	if !ok || g.failed != nil {
		return g.failed
	}
	if g.ask("Err", func() { err = f.Err() }); g.failed != nil {
		return g.failed
	}
	return err
}

// Close closes the queue.
func (g *guard) Close() (err error) {
	c, ok := g.queue.(model.Closer)
	if !ok {
		return nil
	}
	if g.ask("Close", func() { err = c.Close() }); err != nil {
		return fmt.Errorf("the queue that newQueue made did not close: %w", err)
	}
	return nil
}

// toucher is the guard of a queue that tells what it touches.
type toucher struct{ *guard }

// Touched returns nothing of a queue that has failed.
func (t toucher) Touched() (list []model.Touch) {
	if t.failed != nil {
		return nil
	}
	t.ask("Touched", func() { list = t.queue.(model.Toucher).Touched() })
	return list
}

// resetter is the guard of a queue that can be emptied.
type resetter struct{ *guard }

// Reset empties the queue for another world.
func (r resetter) Reset() {
	clear(r.seen)
	clear(r.hands)
	clear(r.sent)
	r.ask("Reset", func() { r.queue.(model.Resetter).Reset() })
}

// peeker is the guard of a queue that tells what it would serve.
type peeker struct{ *guard }

// Peek returns nothing of a queue that has failed.
func (p peeker) Peek(now model.Time) (id model.ID, ok bool) {
	if p.failed != nil {
		return id, false
	}
	p.ask("Peek", func() { id, ok = p.queue.(model.Peeker).Peek(now) })
	return id, ok
}

// duer is the guard of a queue that tells when there is something to do.
type duer struct{ *guard }

// NextDue returns that there never will be of a queue that has failed.
func (d duer) NextDue() (lapse, run model.Time) {
	lapse, run = model.Never, model.Never
	if d.failed != nil {
		return lapse, run
	}
	d.ask("NextDue", func() { lapse, run = d.queue.(model.Duer).NextDue() })
	return lapse, run
}

// panicText is a panic's value, and where it came from: few enough lines of the
// stack for a failing test.
func panicText(p any) string {
	lines := strings.Split(strings.TrimSpace(string(debug.Stack())), "\n")
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "panic(") }); i >= 0 {
		lines = lines[min(i+2, len(lines)):] // from where it was thrown
	}
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "/scenarios/simtest.(*") }); i > 0 {
		lines = lines[:i] // down to where it was called from here
	}
	lines = lines[:min(len(lines), maxStack)]
	value := fit(strings.Split(model.Safe(fmt.Sprint(p)), "\n"), 4)
	for i, l := range value {
		value[i] = narrow(l)
	}
	return strings.Join(append(value, lines...), "\n")
}

// maxStack is how many lines of a stack are shown, and maxWidth how many characters of a
// line of what was panicked with.
const maxStack, maxWidth = 12, 400

func narrow(line string) string {
	if head := fmt.Sprintf("%.*s", maxWidth, line); head != line {
		return head + "…"
	}
	return line
}
