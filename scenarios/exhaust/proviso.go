package exhaust

import (
	"slices"

	"github.com/ackgap/ackgap/model"
)

// Provisos say of a search with so many faults what its faults were not, where a reader of
// their kinds could take them for more: a certificate has to add them. What it takes to
// break something is not more for that, but could be less.
//
// An answer that is late beyond its hearer's patience is one that is lost, so that it is in
// a search with those. One that is late but in time lets a heart beat on, and then its
// worker goes on as if nothing had been: no path has that. An act says enqueue under the id
// that the job was sent with, and so behind its producer: before that it would mint another.
func (w *World) Provisos(faults int) (list []string) {
	if faults < 1 {
		return nil
	}
	if w.scope.has(Jump) {
		list = append(list, "the clock jumping forward only")
	}
	switch {
	case w.scope.has(Delay) && !w.scope.has(DropReply):
		list = append(list, "no answer late")
	case w.scope.has(Delay) && slices.ContainsFunc(w.workers, answersDecide):
		list = append(list, "no answer late but in time")
	}
	if w.scope.has(LoseWrites) {
		list = append(list, "a crashed queue back at once")
	}
	if slices.ContainsFunc(w.scope.Acts, model.Op.Admits) {
		list = append(list, "no act enqueue before the job's producer")
	}
	return list
}

// answersDecide reports whether it makes a difference to k that an answer is late but in
// time, and not lost: its heart beats while it waits, and then it sends again, or begins, or
// fails only if there was none.
func answersDecide(k workerSpec) bool {
	return k.beats && (k.early || k.retries > 0 || k.consumer.Calls())
}
