package model

// View is what one party could see of a history: the records that reached it or
// that it made, without what only the simulator knows (true times, delivery
// counts, whether a message was a copy). Two histories with equal views cannot
// be told apart by that party, whatever it does (Halpern, Moses, "Knowledge and
// Common Knowledge in a Distributed Environment", JACM 37(3), 1990, section 6).
type View []Event

// Seen returns what observer could see of h up to the record numbered until, that
// one included, and the numbers in h of the records behind it. The observer queue
// has a QueueView, any other process a WorkerView.
func (h *History) Seen(observer, queue Proc, until int32) (View, []int32) {
	if observer == queue {
		return h.seen(until, func(e *Event) (Event, bool) { return e.seenByServer(), e.reachesServer(queue) })
	}
	calls := ownCalls{}
	return h.seen(until, func(e *Event) (Event, bool) {
		if !e.reachesWorker(observer) {
			return Event{}, false
		}
		return e.seenByWorker(calls), true
	})
}

// seen collects what an observer keeps of each record.
func (h *History) seen(until int32, keep func(*Event) (Event, bool)) (v View, behind []int32) {
	for i := range h.Events[:until] {
		if e, ok := keep(&h.Events[i]); ok {
			v, behind = append(v, e), append(behind, int32(i+1))
		}
	}
	return v, behind
}

// QueueView returns what the queue could see of h up to the record numbered
// until, that one included: the requests it received, its own timers and its
// answers, in order, by its own clock. Claims that were answered empty are left
// out: idle polls are not simulated. So is the death of its partners.
func (h *History) QueueView(queue Proc, until int32) View {
	v, _ := h.Seen(queue, queue, until)
	return v
}

func (e *Event) reachesServer(queue Proc) bool {
	return e.Kind == Applied && e.Answer != Empty && e.Op != OpReadPause || e.Kind == Restarted && e.Proc == queue
}

// seenByServer keeps of e what the queue itself has.
func (e *Event) seenByServer() Event {
	return Event{
		At: e.Server, Kind: e.Kind, Proc: e.Proc, Op: e.Op, Answer: e.Answer, Job: e.Job, ID: e.ID,
		Token: e.Token, Server: e.Server, Until: e.Until, Max: e.Max, Moved: e.Moved, Dead: e.Dead,
	}
}

// WorkerView returns what the process p, which is not the queue, could see of h
// up to the record numbered until: what it sent, what it was answered or waited
// for in vain, its steps and what the store told it, and that it was started
// again. It is timed by the true clock, which its own follows in every history
// in which the same is done to that clock. What a crash made it forget stays:
// who saw the same remembers the same.
func (h *History) WorkerView(p Proc, until int32) View {
	v, _ := h.Seen(p, NoProc, until)
	return v
}

// reachesWorker reports whether p learns of e. A call to the outside is another's
// doing, of which p has the answer; what befalls it, it does not notice.
func (e *Event) reachesWorker(p Proc) bool {
	switch e.Kind {
	case Sent, Answered, TimedOut, Admitted, Failed, Restarted:
		return e.Proc == p
	case Checked, Marked, Effected, Absorbed:
		return e.Proc == p && e.Call == 0
	}
	return false
}

// ownCalls numbers the calls of one process by the order in which it made them.
type ownCalls map[int32]int32

// seenByWorker keeps of e what the process itself has: neither the count of
// deliveries nor that of effects, and its calls as it would number them.
func (e *Event) seenByWorker(calls ownCalls) Event {
	own := calls[e.Call]
	if own == 0 && e.Call != 0 {
		own = int32(len(calls) + 1)
		calls[e.Call] = own
	}
	return Event{
		At: e.At, Kind: e.Kind, Proc: e.Proc, Op: e.Op, Step: e.Step, Answer: e.Answer, Cause: e.Cause, Job: e.Job, ID: e.ID,
		Call: own, Token: e.Token, Until: e.Until, Max: e.Max, Flags: e.Flags & (IsLate | IsFound),
	}
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
func (v View) Equal(o View) bool { return len(v) == len(o) && v.Common(o) == len(v) }

// Common returns how many records v and o begin with in common.
func (v View) Common(o View) int {
	n := 0
	for n < min(len(v), len(o)) && v[n] == o[n] {
		n++
	}
	return n
}
