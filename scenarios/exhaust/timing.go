package exhaust

import (
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
