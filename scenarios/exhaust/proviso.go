package exhaust

import "slices"

// Provisos say of a search with so many faults what its faults were not, where a reader of
// their kinds could take them for more: a certificate has to add them. What it takes to
// break something is not more for that, but could be less.
//
// An answer that is late beyond its hearer's patience is one that is lost, so that it is in
// a search with those. One that is late but in time lets a heart beat on, and then its
// worker goes on as if nothing had been: no path has that.
func (w *World) Provisos(faults int) (list []string) {
	if faults < 1 {
		return nil
	}
	if w.scope.has(Jump) {
		list = append(list, "the clock forward only")
	}
	switch {
	case w.scope.has(Delay) && !w.scope.has(DropReply):
		list = append(list, "no answer late")
	case w.scope.has(Delay) && slices.ContainsFunc(w.workers, beatsOnInVain):
		list = append(list, "no answer late but in time")
	}
	if w.scope.has(LoseWrites) {
		list = append(list, "a queue that crashes back at once")
	}
	return list
}

// beatsOnInVain reports whether it makes a difference to k that an answer is late but in
// time, and not lost: its heart beats meanwhile, and then it neither sends again nor fails.
func beatsOnInVain(k workerSpec) bool {
	return k.beats && (k.early || k.retries > 0 || k.consumer.Calls())
}
