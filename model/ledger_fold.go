package model

// fold is the second half of Observe.
func (l *Ledger) fold(e *Event, touched []Touch) {
	for i := range touched {
		l.stand(l.moved[i], &touched[i].After, e)
	}
	switch e.Kind {
	case Sent:
		l.sent(e)
	case Applied:
		l.applied(e, touched)
	case Lost:
		l.lost(e)
	case Admitted:
		l.admitted(e)
	case Effected:
		l.effected(e)
	case Crashed:
		*l.proc(e.Proc) = procRecord{gone: e.Until == Never}
	case Restarted:
		l.proc(e.Proc).gone = false
	}
	l.unrest(e)
}

// stand moves the id at i to where it stands now.
func (l *Ledger) stand(i int32, now *Standing, e *Event) {
	r := &l.ids[i]
	if now.Sets&InDead != 0 && r.stands.Sets&InDead == 0 {
		l.finish(i, dead, e)
	}
	was := r.stands.Sets & InPending
	r.stands = *now
	switch is := now.Sets & InPending; {
	case is == was:
	case is != 0:
		l.pending.put(i, idKey(r.id))
	default:
		l.pending.drop(idKey(r.id))
	}
	if !l.timed {
		return
	}
	seat(&l.active, i, now.Sets&InActive, timeKey(now.Deadline))
	seat(&l.schedule, i, now.Sets&InSchedule, timeKey(now.RunAt))
}

// seat puts member into h under key or takes it out.
func seat(h *minHeap, member int32, in Sets, key heapKey) {
	if in != 0 {
		h.put(member, key)
	} else {
		h.drop(member)
	}
}

// finish ends the incarnation of the id at i.
func (l *Ledger) finish(i int32, how ending, e *Event) {
	r := &l.ids[i]
	r.end, r.ended = how, l.keep(e)
	l.job(r.job).settled = e.At
}

// sent frees the hand of a worker that asks for more.
func (l *Ledger) sent(e *Event) {
	if e.Op == OpClaim {
		l.proc(e.Proc).hand = 0
	}
}

func (l *Ledger) admitted(e *Event) {
	if j := l.job(e.Job); j.admitted == 0 {
		j.admitted = l.keep(e)
	}
}

// lost takes back that a raw enqueue told its speaker: it stands beside the queue
// and is told at once, unless a fault strikes the answer there and then.
func (l *Ledger) lost(e *Event) {
	if !e.Has(IsRaw|IsReply) || !e.Op.Admits() {
		return
	}
	if j := l.job(e.Job); l.kept[j.admitted].Seq == e.Seq-1 {
		j.admitted = 0
	}
}

func (l *Ledger) effected(e *Event) {
	j := l.job(e.Job)
	j.effects++
	if j.effect == 0 {
		j.effect = l.keep(e)
	}
}

// applied folds what the answer of the queue means beyond its touches.
func (l *Ledger) applied(e *Event, touched []Touch) {
	if e.Has(IsRaw) && (opens(e) || e.Op.Admits() && e.Answer == Duplicate) {
		l.admitted(e)
	}
	switch {
	case e.Op == OpPause && e.Answer == OK:
		l.paused = true
	case e.Op == OpResume && e.Answer == OK:
		l.paused = false
	case e.Op == OpDrain && e.Answer == OK:
		l.drained(e, touched)
	case l.here == 0:
	case opens(e):
		l.opened(e)
	case e.Op == OpClaim && e.Answer == OK:
		l.claimed(e)
	case e.Op.Settles() && e.Answer.Accepted():
		l.settled(e)
	case e.Op == OpExtend && e.Answer == OK:
		l.extended(e)
	case e.Op == OpRemove && e.Answer == OK:
		l.remove(l.here, e)
	case e.Op == OpReprocess && e.Answer == OK:
		l.ids[l.here].end = notEnded
	}
}

// opens reports whether e is an enqueue that opened an incarnation.
func opens(e *Event) bool {
	return e.Op.Admits() && (e.Answer == Enqueued || e.Answer == Scheduled)
}

func (l *Ledger) opened(e *Event) {
	r := &l.ids[l.here]
	r.claims, r.end, r.opened = 0, notEnded, l.keep(e)
}

// claimed enters the delivery that e granted.
func (l *Ledger) claimed(e *Event) {
	r := &l.ids[l.here]
	j := l.job(r.job)
	j.deliveries++
	n := e.N
	if n == 0 {
		n = j.deliveries
	}
	j.sparse = j.sparse || n != j.deliveries
	proof := l.keep(e)
	d := int32(len(l.deliveries))
	l.deliveries = append(RoomForOne(l.deliveries), delivery{})
	fresh := &l.deliveries[d]
	fresh.id, fresh.job, fresh.n, fresh.worker, fresh.token, fresh.until = l.here, r.job, n, e.Proc, e.Token, e.Until
	fresh.claim, fresh.set, fresh.ofJob = proof, proof, j.last
	r.claims++
	r.last, j.last = d, d
	if !e.Has(IsCopy) {
		l.proc(e.Proc).hand = d
	}
}

// over reports whether the lease of delivery d has ended.
func (l *Ledger) over(d int32) bool {
	return l.deliveries[d].ended || l.deliveries[d].until <= l.server
}

// settled folds an accepted settlement. The dead of a retry are entered by
// where they stand, unless the queue does not tell.
func (l *Ledger) settled(e *Event) {
	if d := l.deliveryAt(e.Job, e.N); d != 0 {
		l.deliveries[d].ended = true
		if l.deliveries[d].settled == 0 {
			l.deliveries[d].settled = l.keep(e)
		}
	}
	if e.Op == OpComplete {
		l.finish(l.here, completed, e)
		if j := l.job(l.ids[l.here].job); j.completed == 0 {
			j.completed = l.keep(e)
		}
	}
	if e.Answer == DeadLettered && l.blind {
		l.finish(l.here, dead, e)
	}
}

// extended moves the deadline of a lease that still runs; none is revived. The
// event takes the place of the last extension, so that a lease may be extended
// without end.
func (l *Ledger) extended(e *Event) {
	i := l.deliveryAt(e.Job, e.N)
	if i == 0 || l.over(i) {
		return
	}
	d := &l.deliveries[i]
	d.until = e.Until
	switch {
	case l.proof != 0:
		d.set, d.own = l.proof, false
	case d.own:
		l.kept[d.set] = *e
	default:
		d.set, d.own = l.keep(e), true
	}
}

// drained removes what a drain took out of the queue. A job in two sets is left
// in one of them, but its row is gone.
func (l *Ledger) drained(e *Event, touched []Touch) {
	for i := range touched {
		if touched[i].After.Fields == 0 {
			l.remove(l.moved[i], e)
		}
	}
}

// remove ends the incarnation and every lease of the id at i, as an operator
// does.
func (l *Ledger) remove(i int32, e *Event) {
	l.finish(i, removed, e)
	for d := l.jobs[l.ids[i].job].last; d != 0; d = l.deliveries[d].ofJob {
		if l.deliveries[d].id == i {
			l.deliveries[d].ended = true
		}
	}
}

// unrest moves the end of the last disturbance: a fault, a job line or an
// operator's verb. What a dead or absent receiver loses is no new one; it
// follows from the crash.
func (l *Ledger) unrest(e *Event) {
	switch e.Kind {
	case Sent, Applied:
		if e.Op.Admits() || e.Has(IsRaw) {
			l.disturb(e.At)
			l.disturb(due(e))
		}
	case Lost:
		if e.Cause == ByFault || e.Cause == ByChance || e.Cause == ByPartition {
			l.disturb(e.At)
		}
	case Failed:
		if e.Cause == ByRefusal || e.Cause == BySilence {
			l.disturb(e.At)
		}
	case Crashed, Restarted, Paused, Woke, Stalled, Cut, Healed, ClockSet:
		l.disturb(e.At)
		l.disturb(e.Until)
	}
}

// due returns the true instant at which a job that e put into the schedule may
// run, or the instant of e.
func due(e *Event) Time {
	if e.Answer != Scheduled || e.Until == Never {
		return e.At
	}
	return e.At + max(0, e.Until-e.Server)
}

// disturb notes that the world was disturbed until at. A disturbance that never
// ends is a part of the world.
func (l *Ledger) disturb(at Time) {
	if at != Never {
		l.disturbed = max(l.disturbed, at)
	}
}
