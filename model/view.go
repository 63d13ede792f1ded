package model

// View is what one party could see of a history: the records that reached it or
// that it made, without what only the simulator knows (true times, delivery
// counts, whether a message was a copy). Two histories with equal views cannot
// be told apart by that party, whatever it does (Halpern, Moses, "Knowledge and
// Common Knowledge in a Distributed Environment", JACM 37(3), 1990, section 6).
type View []Event

// QueueView returns what the queue could see of h up to the record numbered
// until, that one included: the requests it received, its own timers and its
// answers, in order, by its own clock. Claims that were answered empty are left
// out: idle polls are not simulated. So is the death of its partners.
func (h *History) QueueView(queue Proc, until int32) View {
	var v View
	for i := range h.Events[:until] {
		e := h.Events[i]
		switch {
		case e.Kind == Applied && e.Answer != Empty && e.Op != OpReadPause:
			v = append(v, e.seenByServer())
		case e.Kind == Restarted && e.Proc == queue:
			v = append(v, e.seenByServer())
		}
	}
	return v
}

// seenByServer keeps of e what the queue itself has.
func (e Event) seenByServer() Event {
	return Event{
		At: e.Server, Kind: e.Kind, Proc: e.Proc, Op: e.Op, Answer: e.Answer, Job: e.Job, ID: e.ID,
		Token: e.Token, Server: e.Server, Until: e.Until, Max: e.Max, Moved: e.Moved, Dead: e.Dead,
	}
}

// WorkerView returns what the process p could see of h up to the record
// numbered until: what it sent, what reached it, and what it did.
func (h *History) WorkerView(p Proc, until int32) View {
	var v View
	for i := range h.Events[:until] {
		e := h.Events[i]
		if e.Proc != p || e.Kind == Applied || e.Kind == Lost || e.Kind == Paused || e.Kind == Woke {
			continue
		}
		e.Seq = 0
		v = append(v, e)
	}
	return v
}

// Digest folds the view into one number: equal views, equal digests.
func (v View) Digest() Digest {
	var d Digest
	for i := range v {
		d.Add(&v[i])
	}
	return d
}

// Equal reports whether v and o are the same, record by record.
func (v View) Equal(o View) bool {
	if len(v) != len(o) {
		return false
	}
	for i := range v {
		if v[i] != o[i] {
			return false
		}
	}
	return true
}
