package exhaust

import (
	"bytes"
	"slices"

	"github.com/ackgap/ackgap/model"
)

// normalise makes s the one that stands for all states that cannot be told from it.
//
// Workers that are set up alike change places freely: no property, no message and
// no answer names a worker. Jobs do not, for a claim is served the smallest id. But
// a job that is finished (its producer is done with it, the queue knows nothing of
// it, nobody holds it and no letter speaks of it) has no future: what it leaves is
// forgotten, and it makes room for the others, which keep their order. Jobs change
// places only with those that are set up alike.
//
// It returns where everything has come from.
func (w *World) normalise(s *State) (from places) {
	from = unmoved
	if len(w.scope.Acts) == 0 && !w.scope.forgets() {
		w.retire(s, &from)
	}
	for i := range s.letters() {
		if l := &s.mail[i]; l.op == model.OpApply {
			l.who = w.representative(l.who)
		}
	}
	slices.SortFunc(s.letters(), letter.compare)
	for _, group := range w.equal {
		w.sortWorkers(s, group, &from)
	}
	return from
}

// places tells by new place which old place a job or a worker has come from.
type places struct {
	jobs    [MaxJobs]uint8
	workers [MaxWorkers]uint8
}

var unmoved = places{[MaxJobs]uint8{0, 1, 2, 3, 4, 5}, [MaxWorkers]uint8{0, 1, 2, 3, 4, 5}}

// representative returns the first worker that is set up like who.
func (w *World) representative(who uint8) uint8 {
	for _, group := range w.equal {
		if slices.Contains(group, who) {
			return group[0]
		}
	}
	return who
}

// sortWorkers sorts the workers of one group by their bytes.
func (w *World) sortWorkers(s *State, group []uint8, from *places) {
	for i := 1; i < len(group); i++ {
		for at := i; at > 0; at-- {
			a, b := group[at-1], group[at]
			if compareWorkers(&s.workers[a], &s.workers[b]) <= 0 {
				break
			}
			s.workers[a], s.workers[b] = s.workers[b], s.workers[a]
			from.workers[a], from.workers[b] = from.workers[b], from.workers[a]
		}
	}
}

func compareWorkers(a, b *worker) int {
	var bufA, bufB [8]byte
	return bytes.Compare(appendWorker(bufA[:0], a), appendWorker(bufB[:0], b))
}

// retire forgets what finished jobs leave, and lets them stand behind the others.
func (w *World) retire(s *State, from *places) {
	q := w.queue(s)
	isFinished := uint8(0)
	for i := range w.jobs {
		if w.finished(s, q, uint8(i)) {
			j := &s.jobs[i]
			*j = job{sends: 1, end: j.end, flags: j.flags & (isSent | isAdmitted | isCompleted)}
			isFinished |= 1 << i
		}
	}
	if isFinished == 0 {
		return
	}
	order := from.jobs[:len(w.jobs)]
	for i := 1; i < len(order); i++ {
		for at := i; at > 0 && w.swaps(s, order[at-1], order[at], isFinished); at-- {
			order[at-1], order[at] = order[at], order[at-1]
		}
	}
	w.reorder(s, order)
}

// swaps reports whether job b is to stand before a, which stands before it.
func (w *World) swaps(s *State, a, b, isFinished uint8) bool {
	if isFinished>>a&1 == 0 || s.jobs[b].sends == 0 || !w.jobs[a].same(&w.jobs[b]) {
		return false
	}
	if isFinished>>b&1 == 0 {
		return true
	}
	ja, jb := &s.jobs[a], &s.jobs[b]
	return uint16(ja.end)<<8|uint16(ja.flags) > uint16(jb.end)<<8|uint16(jb.flags)
}

func (j *jobSpec) same(o *jobSpec) bool {
	return j.retries == o.retries && j.delayed == o.delayed && j.fails == o.fails && j.unknown == o.unknown
}

// finished reports whether nothing can be said of job i any more.
func (w *World) finished(s *State, q *queueState, i uint8) bool {
	j := &s.jobs[i]
	return j.sends > 0 && j.has(isSent) && q.stands[i].Sets == 0 && q.stands[i].Fields == 0 && !w.isSpokenOf(s, i)
}

// reorder lets job order[i] stand at i.
func (w *World) reorder(s *State, order []uint8) {
	if slices.IsSorted(order) {
		return
	}
	var to [MaxJobs]uint8 // by old place: the new one
	old := s.jobs
	for i, from := range order {
		to[from] = uint8(i)
		s.jobs[i] = old[from]
	}
	for k := range w.workers {
		if s.workers[k].holds() {
			s.workers[k].job = to[s.workers[k].job]
		}
	}
	for i := range s.letters() {
		if l := &s.mail[i]; l.op != model.OpClaim {
			l.job = to[l.job]
		}
	}
	var perm uint32
	for from := range order {
		perm |= uint32(to[from]) << (3 * from)
	}
	s.queue = w.machine.edge(s.queue, ask{op: renaming, perm: perm}).to
}
