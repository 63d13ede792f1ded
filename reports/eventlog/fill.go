package eventlog

import "github.com/ackgap/ackgap/model"

// fill fills in what the line leaves out and the log knows, or notes that it is
// nowhere to be found.
func (f *feed) fill(r *record, e *model.Event) {
	switch {
	case isWork(e.Kind):
		f.fillWork(r, e)
	case e.Kind != model.Applied:
	case e.Op == model.OpClaim && e.Answer == model.OK:
		f.fillClaim(r, e)
	case e.Op.Settles() || e.Op == model.OpExtend:
		f.fillWord(r, e)
	}
}

// isWork reports whether a worker writes such an event about the job in its hands.
func isWork(k model.Kind) bool {
	return k == model.Effected || k == model.Absorbed || k == model.Failed || k == model.Checked || k == model.Marked
}

// fillWork looks whether somebody had claimed the job that a worker works on: else the
// name of one of the two jobs is wrong.
func (f *feed) fillWork(r *record, e *model.Event) {
	if f.records.has(claimedKind) && e.Job != model.NoJob && f.ledger.Deliveries(e.Job) == 0 {
		f.doubts.note(unclaimed, r.line)
	}
	if e.Kind == model.Effected {
		f.fillEffect(r, e)
	}
}

// fillEffect counts the effects of a job. The larger count wins: whichever of
// log and line is behind has not seen all.
func (f *feed) fillEffect(r *record, e *model.Event) {
	have := int32(f.ledger.Effects(e.Job)) + 1
	if r.known.has(hasEffect) && e.Effect != have {
		f.doubts.note(jump, r.line)
	}
	e.Effect = max(e.Effect, have)
}

func (f *feed) fillClaim(r *record, e *model.Event) {
	have := int32(f.ledger.Deliveries(e.Job)) + 1
	switch {
	case !r.known.has(hasN):
		e.N = have
	case e.N != have:
		f.doubts.note(jump, r.line)
		e.N = max(e.N, have)
	}
	if !r.known.has(hasToken) || e.Token == 0 {
		f.holes.note(holeToken, r.line)
	}
	f.noteZeros(r, e)
	f.fillLease(r, e)
}

// fillLease computes the deadline that a grant does not name.
func (f *feed) fillLease(r *record, e *model.Event) {
	switch {
	case r.known.has(hasUntil):
		if e.Until <= e.Server {
			f.doubts.note(oddUntil, r.line)
		}
	case f.facts.Lease > 0:
		e.Until = e.Server.Add(f.facts.Lease)
	default:
		f.holes.note(holeDeadline, r.line)
	}
}

// fillWord fills in for which delivery a worker speaks, and the cap of a retry.
func (f *feed) fillWord(r *record, e *model.Event) {
	have := int32(f.ledger.Deliveries(e.Job))
	switch {
	case !r.known.has(hasN):
		if e.N = f.speaker(r, e, have); e.N == 0 {
			f.doubts.note(stranger, r.line)
		}
	case e.N > have:
		f.doubts.note(jump, r.line)
	default:
		f.compareToken(r, e)
	}
	f.noteZeros(r, e)
	if e.Op == model.OpExtend && e.Answer == model.OK {
		f.fillLease(r, e)
	}
	if e.Op == model.OpRetry && !r.known.has(hasMax) {
		if e.Max = int32(f.facts.MaxAttempts); e.Max == 0 {
			f.holes.note(holeCap, r.line)
		}
	}
}

// noteZeros notes numbers that are there and 0, as a writer leaves them that knew none.
// A raw request of a story is told as it was spoken.
func (f *feed) noteZeros(r *record, e *model.Event) {
	if e.Has(model.IsRaw) {
		return
	}
	if r.known.has(hasToken) && e.Token == 0 || r.known.has(hasN) && e.N == 0 || r.known.has(hasMax) && e.Op == model.OpRetry && e.Max == 0 {
		f.doubts.note(zero, r.line)
	}
}

// compareToken holds the delivery that e names against the token that it has.
func (f *feed) compareToken(r *record, e *model.Event) {
	d, ok := f.ledger.Delivery(e.Job, e.N)
	if ok && r.known.has(hasToken) && d.Token != e.Token && !e.Has(model.IsRaw) {
		f.doubts.note(oddToken, r.line)
	}
}

// maxSearch is how many of a job's last deliveries are looked at.
const maxSearch = 64

// speaker returns the delivery for which e speaks: the only one with its token, or
// the only one among those, or among all where it has none, that its worker was
// granted. 0: there is none, or more than one.
func (f *feed) speaker(r *record, e *model.Event, have int32) int32 {
	hasToken := r.known.has(hasToken)
	var byToken, byWorker, tokens, workers int32
	for n := have; n > max(0, have-maxSearch); n-- {
		d, ok := f.ledger.Delivery(e.Job, n)
		if !ok || hasToken && d.Token != e.Token {
			continue
		}
		byToken, tokens = n, tokens+1
		if d.Worker == e.Proc {
			byWorker, workers = n, workers+1
		}
	}
	switch {
	case have > maxSearch:
		return 0 // an earlier one might be meant
	case tokens == 1 && (hasToken || len(r.worker) == 0 || workers == 1):
		return byToken
	case workers == 1 && len(r.worker) > 0:
		return byWorker
	}
	return 0
}
