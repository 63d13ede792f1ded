package reports

import "github.com/ackgap/ackgap/model"

// lease is one delivery as a bar on the lifeline of its worker: from its claim
// until it is over, for whatever reason.
type lease struct {
	on        station
	worker    model.Proc
	job       model.Job
	n         int32
	from      int32 // the number of the event that opens it
	to        int32 // of the one at which it is over; 0 if that is never seen
	isLapsed  bool  // it ran out: it was over before that event
	isUnheard bool  // its worker does not know of it: the answer was lost, or came too late
	depth     int   // how many leases of that worker were open already
}

// ledgerOf returns an empty ledger for the events of h.
func ledgerOf(h *model.History) *model.Ledger {
	facts := model.Facts{Toucher: len(h.Touched) > 0}
	for i, name := range h.Names.Procs {
		if name == queueName {
			facts.Queue = model.Proc(i)
		}
	}
	return model.NewLedger(facts)
}

// leasesOf follows every lease of h by the ledger that the properties read.
func leasesOf(h *model.History) []lease {
	t, ledger := newTeller(h, nil), ledgerOf(h)
	var all []lease
	var open []int // of all
	for i := range h.Events {
		e := &h.Events[i]
		ledger.Observe(e, h.TouchedBy(e.Seq))
		open = closed(all, open, ledger, e)
		if e.Kind != model.Applied || e.Op != model.OpClaim || e.Answer != model.OK {
			continue
		}
		l := lease{on: t.station(e.Proc), worker: e.Proc, job: e.Job, n: e.N, from: e.Seq, isUnheard: t.isUnheard(e)}
		for _, k := range open {
			if all[k].worker == l.worker {
				l.depth++
			}
		}
		all, open = append(all, l), append(open, len(all))
	}
	return all
}

// closed ends the open leases that are over after e, and returns the others.
func closed(all []lease, open []int, ledger *model.Ledger, e *model.Event) []int {
	still := open[:0]
	for _, k := range open {
		l := &all[k]
		d, known := ledger.Delivery(l.job, l.n)
		if known && !d.Ended {
			still = append(still, k)
			continue
		}
		l.to = e.Seq
		l.isLapsed = !d.Settled
	}
	return still
}
