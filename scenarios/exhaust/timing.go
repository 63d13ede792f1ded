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

// knowsNoSpans refuses two sorts of queues, of which it is a matter of spans what can
// happen. One takes jobs beforehand: a lease that begins in a buffer may lapse while every
// worker is prompt. The other finds with one reap what it moves with the next.
func (m *machine) knowsNoSpans() error {
	q, mint := m.empty.Clone().(body), model.Mint{NS: model.JOB, Node: 1}
	for range 2 {
		q.Apply(start, model.Request{Op: model.OpEnqueue, ID: mint.Next(0)})
	}
	q.Apply(start, model.Request{Op: model.OpClaim, Lease: m.rule.lease})
	if n := len(q.Touched()); n > 1 {
		return fmt.Errorf("the queue cannot be explored: a claim of one job leases %d, and how long a job waits in a buffer is more than a state knows; "+
			"random worlds know it (ackgap check)", n)
	}
	d, ok := q.(model.Duer)
	if !ok {
		return nil
	}
	if lapse, _ := d.NextDue(); lapse != model.Never && q.Apply(lapse, model.Request{Op: model.OpReap}).Answer == model.OK && len(q.Touched()) == 0 {
		return errors.New("the queue cannot be explored: a reap of a lease that is over moves nothing yet, and how soon the next one comes is more than a state knows; " +
			"random worlds know it (ackgap check)")
	}
	return nil
}
