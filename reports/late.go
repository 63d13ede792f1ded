package reports

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Late is a message that a fault of the plan delayed. A history does not say so: it has
// when the message was sent and when it arrived.
type Late struct {
	// Seq is the event at which it is told. Of a request that is where it was sent, or,
	// where nobody recorded that, where it arrived; of an answer, where it was given.
	Seq      int32
	By       time.Duration
	IsAnswer bool
}

// lateOf finds in h, which a run of s left, what the plan of s delayed.
func lateOf(s *scenarios.Story, h *model.History) []Late {
	delays := func(e faults.Entry) bool { return e.Point.Family == faults.Message && e.Outcome.Has(faults.Delay) }
	if !slices.ContainsFunc(s.Plan, delays) {
		return nil
	}
	f := lateFinder{s, h, callsOf(h), nil}
	for i := range s.Plan {
		d := &s.Plan[i]
		if !delays(*d) {
			continue
		}
		if e := f.find(d); e != nil {
			f.found = append(f.found, Late{e.Seq, d.Outcome.By, d.Point.Reply})
		}
	}
	slices.SortFunc(f.found, func(a, b Late) int { return int(a.Seq - b.Seq) })
	return f.found
}

type lateFinder struct {
	story *scenarios.Story
	h     *model.History
	calls []call
	found []Late
}

// find returns the event at which the message is told that d delayed; nil where there was
// none, or where none was delayed for sure.
func (f *lateFinder) find(d *faults.Entry) *model.Event {
	var e *model.Event
	switch p := &d.Point; {
	case p.Op == model.OpApply:
		return f.outside(d)
	case p.Reply:
		return f.answer(d)
	case p.Op == model.OpClaim:
		e = f.claim(d.Outcome.By)
	default:
		e = f.request(d)
	}
	if e == nil {
		e = f.raw(d)
	}
	return e
}

// request finds the Nth request at its point.
func (f *lateFinder) request(d *faults.Entry) *model.Event {
	nth := int32(0)
	for i := range f.calls {
		c := &f.calls[i]
		if c.sent == nil || !isAt(c.sent, &d.Point) {
			continue
		}
		if nth++; nth < d.Point.Nth {
			continue
		}
		if end := c.end(); end == nil || end.At.Sub(c.sent.At) >= d.Outcome.By {
			return c.sent
		}
		return nil
	}
	return nil
}

// claim finds a claim that is as late as one that waits so long at the queue. Which job it
// was about to get then is not in the history, and with it not which of the claims it is:
// one that was told of another delay, or that the network alone may have held up, is not
// taken.
func (f *lateFinder) claim(by time.Duration) *model.Event {
	n := &f.story.Network
	for i := range f.calls {
		c := &f.calls[i]
		end := c.end()
		if c.sent == nil || c.sent.Op != model.OpClaim || end == nil || by <= n.Jitter {
			continue
		}
		took := end.At.Sub(c.sent.At) - by - n.Latency
		isTold := slices.ContainsFunc(f.found, func(l Late) bool { return l.Seq == c.sent.Seq })
		if took >= 0 && took <= n.Jitter && !isTold {
			return c.sent
		}
	}
	return nil
}

// raw finds a raw request that the queue applied that much later than its line says, for
// there is no link on its way. One that comes when the next is due is not told from that.
func (f *lateFinder) raw(d *faults.Entry) *model.Event {
	for i := range f.h.Events {
		e := &f.h.Events[i]
		isIts := e.Op == model.OpClaim && d.Point.Op == model.OpClaim || isAt(e, &d.Point)
		if e.Kind != model.Applied || !e.Has(model.IsRaw) || !isIts {
			continue
		}
		if !f.isDo(e, e.At) && f.isDo(e, e.At.Add(-d.Outcome.By)) {
			return e
		}
	}
	return nil
}

// isDo reports whether a `do` line asks at that time for what e is.
func (f *lateFinder) isDo(e *model.Event, at model.Time) bool {
	return slices.ContainsFunc(f.story.Dos, func(d scenarios.Do) bool {
		return d.Op == e.Op && d.At == at && (d.Job == e.Job || d.Job == model.NoJob)
	})
}

// answer finds the request whose answer was late: the Nth at its point, or the first that
// was answered where the plan names no number. Of claims one alone was granted the job.
func (f *lateFinder) answer(d *faults.Entry) *model.Event {
	nth := int32(0)
	for i := range f.calls {
		x := f.calls[i].own()
		isClaim := d.Point.Op == model.OpClaim
		switch asked := f.calls[i].sent; {
		case isClaim && (x.applied == nil || !isAt(x.applied, &d.Point)):
			continue
		case !isClaim && (asked == nil || !isAt(asked, &d.Point)):
			continue
		}
		if nth++; x.applied == nil || !isClaim && nth < d.Point.Nth {
			continue
		}
		if x.reply == nil || x.reply.At.Sub(x.applied.At) >= d.Outcome.By {
			return x.applied
		}
		return nil
	}
	return nil
}

// outside finds the Nth call to the outside at its point, if it arrived. Nobody records
// that one is sent; their numbers tell their order. It has the number of its copy, and comes
// behind it where it is later than that.
func (f *lateFinder) outside(d *faults.Entry) *model.Event {
	p := &d.Point
	isBehind := slices.ContainsFunc(f.story.Plan, func(o faults.Entry) bool {
		return o.Point == *p && o.Outcome.Has(faults.Duplicate) && o.Outcome.After < d.Outcome.By
	})
	var calls []int32
	arrived := map[int32]*model.Event{}
	for i := range f.h.Events {
		e := &f.h.Events[i]
		isStep := e.Kind == model.Effected || e.Kind == model.Absorbed // which have no Op
		if e.Call <= 0 || e.Job != p.Job || e.N != p.N || !isStep && e.Op != model.OpApply {
			continue
		}
		calls = append(calls, e.Call)
		if isStep && (isBehind || arrived[e.Call] == nil) {
			arrived[e.Call] = e
		}
	}
	slices.Sort(calls)
	nth := max(int(p.Nth), 1) - 1
	if calls = slices.Compact(calls); nth >= len(calls) {
		return nil
	}
	return arrived[calls[nth]]
}

// isAt reports whether e is about requests at p. All forms of enqueue and of delay share
// one name there.
func isAt(e *model.Event, p *faults.Point) bool {
	op := e.Op
	switch {
	case op.Admits():
		op = model.OpEnqueue
	case op == model.OpDelayAt:
		op = model.OpDelay
	}
	return op == p.Op && e.Job == p.Job && e.N == p.N
}

// own returns the exchange of the request itself, and not of a copy.
func (c *call) own() exchange {
	for _, x := range c.exchanges {
		if !x.applied.Has(model.IsCopy) {
			return x
		}
	}
	return exchange{}
}

// end returns where the request arrived or was lost; nil where it is on its way.
func (c *call) end() *model.Event {
	if x := c.own(); x.applied != nil {
		return x.applied
	}
	return c.lost
}

// lateAt returns what is told of at event seq as late.
func (t *teller) lateAt(seq int32) (Late, bool) {
	i, ok := slices.BinarySearchFunc(t.late, seq, func(l Late, seq int32) int { return int(l.Seq - seq) })
	if !ok {
		return Late{}, false
	}
	return t.late[i], true
}

// sentLate draws a request that a fault delayed, where it was sent. Where it arrives it
// has a row of its own.
func (t *teller) sentLate(e *model.Event, l Late) row {
	return row{from: t.station(e.Proc), to: far(e), label: t.what(e), lost: true, isOpen: true, tint: bad,
		note: "late by " + script.FormatDuration(l.By)}
}

// lateNote says how late what r shows is, where its message was not drawn as it was sent.
func lateNote(e *model.Event, l Late) string {
	switch by := "late by " + script.FormatDuration(l.By); {
	case e.Kind == model.Sent, l.IsAnswer && e.Op == model.OpClaim:
		return "" // its row says it
	case l.IsAnswer:
		return "answer " + by
	default:
		return by
	}
}
