package model

import "slices"

// Forget drops the records of those jobs among candidates that are over: by their State
// dead, removed or completed (so that no id of theirs is in pending, active or schedule),
// and not what some process was granted last. It returns them, in the order given; their
// numbers may then be given to other jobs. What was true of the jobs that stay is
// true as before.
//
// It is for histories without an end, of which a judge must not keep everything:
// its cost grows with what the ledger holds, so call it when that has doubled.
// Whoever hears of a forgotten job again must not trust the verdicts: to the
// ledger it is new.
func (l *Ledger) Forget(candidates []Job) []Job {
	gone := make([]bool, len(l.jobs))
	var over []Job
	for _, job := range candidates {
		if l.knows(job) && !gone[job] && l.terminal(job) {
			gone[job] = true
		}
	}
	l.spareHands(gone)
	for _, job := range candidates {
		if l.knows(job) && gone[job] && l.jobs[job] != (jobRecord{}) {
			over = append(over, job)
			l.jobs[job] = jobRecord{}
		}
	}
	if len(over) > 0 {
		l.compact(gone, make([]bool, len(l.deliveries)))
	}
	return over
}

const (
	// recent is how many of a job's last deliveries a ledger that thins keeps in any
	// case, and thinFrom from how many deliveries on it looks for others.
	recent   = 16
	thinFrom = 1 << 14
)

// thin drops the deliveries that were settled and that later ones of their job have
// passed long since, so that a job which fails for ever takes no more memory. What it
// drops is known to be settled, and that is all that a property could ask.
func (l *Ledger) thin() {
	passed := make([]bool, len(l.deliveries))
	for i := 1; i < len(passed); i++ {
		d := &l.deliveries[i]
		j := &l.jobs[d.job]
		if d.job == NoJob || j.sparse || d.settled == 0 || d.n > j.deliveries-recent || l.ids[d.id].last == int32(i) {
			continue
		}
		passed[i], j.passed = true, max(j.passed, d.n)
	}
	for i := range l.procs {
		passed[l.procs[i].hand] = false
	}
	if slices.Contains(passed, true) {
		l.compact(make([]bool, len(l.jobs)), passed)
	}
	l.thinAt = max(thinFrom, 2*len(l.deliveries))
}

// wasPassed reports whether J#N was dropped by thin.
func (l *Ledger) wasPassed(job Job, n int32) bool {
	return l.knows(job) && n <= l.jobs[job].passed && l.deliveryAt(job, n) == 0
}

// spareHands keeps what some process was granted last: no-loss asks for it.
func (l *Ledger) spareHands(gone []bool) {
	for i := range l.procs {
		if d := l.procs[i].hand; d != 0 {
			gone[l.deliveries[d].job] = false
		}
	}
}

// numbers maps the old numbers of records to their new ones; 0 is dropped.
type numbers []int32

// compact moves the records of the jobs that are not gone, and of their deliveries that
// are not passed, together, and mends every link between records: each list in turn,
// those that are pointed at first.
func (l *Ledger) compact(gone, passed []bool) {
	ids := l.compactIDs(gone)
	deliveries := l.compactDeliveries(gone, passed, ids)
	kept := l.compactKept()
	for i := range l.ids {
		r := &l.ids[i]
		r.next, r.last = ids[r.next], deliveries[r.last]
		r.opened, r.ended = kept[r.opened], kept[r.ended]
	}
	for i := range l.deliveries {
		d := &l.deliveries[i]
		d.ofJob = deliveries[d.ofJob]
		d.claim, d.set, d.settled = kept[d.claim], kept[d.set], kept[d.settled]
	}
	for i := range l.jobs {
		j := &l.jobs[i]
		j.first, j.last = ids[j.first], deliveries[j.last]
		j.admitted, j.completed, j.effect = kept[j.admitted], kept[j.completed], kept[j.effect]
	}
	for i := range l.procs {
		l.procs[i].hand = deliveries[l.procs[i].hand]
	}
	l.pending.renumber(ids)
	for _, h := range [...]*minHeap{&l.active, &l.schedule} {
		h.renumber(ids)
	}
	l.here, l.moved, l.proof = 0, l.moved[:0], 0
}

func (l *Ledger) compactIDs(gone []bool) numbers {
	to := make(numbers, len(l.ids))
	stay := l.ids[:1]
	for i := 1; i < len(to); i++ {
		if r := l.ids[i]; !gone[r.job] {
			to[i] = int32(len(stay))
			stay = append(stay, r)
		}
	}
	l.ids, l.indexed = stay, 1
	l.index.Clear()
	return to
}

// compactDeliveries lets the one before it stand for a delivery that is passed, so that
// the list of its job stays whole.
func (l *Ledger) compactDeliveries(gone, passed []bool, ids numbers) numbers {
	to := make(numbers, len(l.deliveries))
	stay := l.deliveries[:1]
	for i := 1; i < len(to); i++ {
		switch d := l.deliveries[i]; {
		case gone[d.job]:
		case passed[i]:
			to[i] = to[d.ofJob]
		default:
			to[i] = int32(len(stay))
			d.id = ids[d.id]
			stay = append(stay, d)
		}
	}
	l.deliveries = stay
	return to
}

// compactKept keeps the events that some record still shows as evidence.
func (l *Ledger) compactKept() numbers {
	shown := make([]bool, len(l.kept))
	for i := range l.ids {
		shown[l.ids[i].opened], shown[l.ids[i].ended] = true, true
	}
	for i := range l.deliveries {
		d := &l.deliveries[i]
		shown[d.claim], shown[d.set], shown[d.settled] = true, true, true
	}
	for i := range l.jobs {
		j := &l.jobs[i]
		shown[j.admitted], shown[j.completed], shown[j.effect] = true, true, true
	}
	to := make(numbers, len(l.kept))
	stay := l.kept[:1]
	for i := 1; i < len(to); i++ {
		if shown[i] {
			to[i] = int32(len(stay))
			stay = append(stay, l.kept[i])
		}
	}
	l.kept = stay
	return to
}

// renumber gives the members, all of which stay, their new numbers.
func (h *minHeap) renumber(to numbers) {
	clear(h.place)
	for i := range h.items {
		it := &h.items[i]
		it.member = to[it.member]
		h.place[it.member] = int32(i + 1)
	}
}
