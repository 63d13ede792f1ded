package exhaust

import (
	"errors"
	"fmt"
	"time"

	"github.com/ackgap/ackgap/model"
)

// timing is what the queue is told about time.
type timing struct {
	lease, retryDelay time.Duration
	granted           time.Duration // what an extend is answered for lease
	held, heldOn      time.Duration // how soon a pump can take a job behind a claim, and behind an extend
	delays            []time.Duration
}

// postpones returns for how long the request l postpones its job, if it does.
func (w *World) postpones(l letter) time.Duration {
	if l.op == model.OpEnqueueIn {
		return w.machine.rule.delays[l.job]
	}
	return w.machine.rule.retryDelay
}

// probe finds out for how long a claim and an extend lease, asked in a queue of its own.
// What a queue grants is not what it keeps to, if a pump of it takes jobs sooner.
func (m *machine) probe() {
	q := m.empty.Clone()
	held := func(until model.Time) time.Duration {
		if d, ok := q.(model.Duer); ok {
			lapse, _ := d.NextDue()
			until = min(until, lapse)
		}
		return until.Sub(start)
	}
	q.Apply(start, model.Request{Op: model.OpEnqueue, ID: m.ids[0]})
	claimed := q.Apply(start, model.Request{Op: model.OpClaim, Lease: m.rule.lease})
	m.rule.held = held(start.Add(m.rule.lease))
	extended := q.Apply(start, model.Request{Op: model.OpExtend, ID: m.ids[0], Token: claimed.Token, Lease: m.rule.lease})
	m.rule.granted = extended.Until.Sub(start)
	m.rule.heldOn = held(extended.Until)
}

// ErrSpans is the reason for which New refuses a queue in which durations decide what can
// happen: a state keeps an order of instants, and not how far apart they are.
var ErrSpans = errors.New("the queue cannot be explored, since spans decide what can happen")

// refuseSpans refuses a queue in which durations decide what can happen. One takes jobs
// beforehand: a lease that begins in a buffer may lapse while every worker is prompt. Another
// finds with one reap what it moves with the next, and a third does shortly before the end of
// a lease what it does not do at the end.
func (m *machine) refuseSpans() error {
	q, mint := m.empty.Clone().(body), model.Mint{NS: model.JOB, Node: 1}
	for range 2 {
		q.Apply(start, model.Request{Op: model.OpEnqueue, ID: mint.Next(0)})
	}
	q.Apply(start, model.Request{Op: model.OpClaim, Lease: m.rule.lease})
	if n := len(q.Touched()); n > 1 {
		return spans(fmt.Sprintf("a claim of one job leases %d, and how long a job waits in a buffer", n))
	}
	d, ok := q.(model.Duer)
	if !ok {
		return nil
	}
	lapse, _ := d.NextDue()
	if lapse == model.Never {
		return nil
	}
	switch early := reaped(q, lapse); {
	case early == 0:
		return spans("a reap of a lease that is over moves nothing yet, and how soon the next one comes")
	case early != reaped(q, max(lapse, start.Add(m.rule.lease))):
		return spans("a reap shortly before the end of a lease does not do what one behind it does, and which of them comes")
	}
	return nil
}

func spans(what string) error {
	return fmt.Errorf("%w: %s is more than a state knows; random worlds know it (ackgap check)", ErrSpans, what)
}

// reaped returns where a reap at an instant leaves the job that it takes from q, as bits; 0
// where it takes none.
func reaped(q body, at model.Time) (sets int) {
	q = q.Clone().(body)
	q.Apply(at, model.Request{Op: model.OpReap, Limit: 1})
	for _, t := range q.Touched() {
		sets = 1<<8 | int(t.After.Sets)
	}
	return sets
}
