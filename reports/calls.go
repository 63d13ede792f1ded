package reports

import (
	"slices"

	"github.com/ackgap/ackgap/model"
)

// call is what became of the request of one number. The network may double a request,
// and then both get an answer under that number: what is said of one of them must ask
// whose answer it is.
type call struct {
	sent, lost *model.Event // the request, and its loss; nil is none
	timedOut   *model.Event
	exchanges  []exchange // of the request and of its copies, as they took effect
}

// exchange is a request that took effect, and what became of its answer: it was read,
// or lost, or is still on its way, which is nil.
type exchange struct{ applied, reply *model.Event }

func callsOf(h *model.History) []call {
	calls := make([]call, 1)
	for i := range h.Events {
		e := &h.Events[i]
		for int(e.Call) >= len(calls) {
			calls = append(calls, call{})
		}
		if e.Call > 0 {
			calls[e.Call].note(e)
		}
	}
	return calls
}

func (c *call) note(e *model.Event) {
	switch {
	case e.Kind == model.Applied:
		c.exchanges = append(c.exchanges, exchange{applied: e})
	case e.Kind == model.Answered, e.Kind == model.Lost && e.Has(model.IsReply):
		c.answer(e)
	case e.Has(model.IsCopy):
	case e.Kind == model.Sent:
		c.sent = e
	case e.Kind == model.Lost:
		c.lost = e
	case e.Kind == model.TimedOut:
		c.timedOut = e
	}
}

// answer gives reply to the request that it answers. Of two that are answered alike it
// is the first without one: nobody can tell them apart.
func (c *call) answer(reply *model.Event) {
	for i := range c.exchanges {
		if x := &c.exchanges[i]; x.reply == nil && answers(reply, x.applied) {
			x.reply = reply
			return
		}
	}
}

func answers(reply, applied *model.Event) bool {
	isSaid := reply.Kind == model.Lost || reply.Answer == applied.Answer && reply.Until == applied.Until
	return reply.Job == applied.Job && reply.N == applied.N && isSaid
}

// isGrant reports whether the call, or a copy of it, was a claim that was granted a job.
func (c *call) isGrant() bool {
	return slices.ContainsFunc(c.exchanges, func(x exchange) bool {
		return x.applied.Op == model.OpClaim && x.applied.Answer == model.OK
	})
}

// callOf returns the call that e is part of; an empty one for raw requests.
func (t *teller) callOf(e *model.Event) *call {
	if e.Call <= 0 || int(e.Call) >= len(t.calls) {
		return &t.calls[0]
	}
	return &t.calls[e.Call]
}

// exchangeOf returns the exchange that e began or ended; an empty one where there is
// none, as of raw requests, which wait for no answer.
func (t *teller) exchangeOf(e *model.Event) exchange {
	for _, x := range t.callOf(e).exchanges {
		if x.applied.Seq == e.Seq || x.reply != nil && x.reply.Seq == e.Seq {
			return x
		}
	}
	return exchange{}
}

// isUnheard reports whether the worker of a granted claim knows nothing of it: the
// answer was lost, is still on its way, or came when it had given up.
func (t *teller) isUnheard(grant *model.Event) bool {
	r := t.exchangeOf(grant).reply
	return grant.Call > 0 && (r == nil || r.Kind == model.Lost || r.Has(model.IsLate))
}
