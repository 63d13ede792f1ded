package exhaust

import (
	"slices"

	"github.com/ackgap/ackgap/model"
)

// inTime puts the moments into an order in which time can take them.
//
// That a worker wakes or comes back is put off until it does something: what others
// do before that, they can do before it wakes, and a worker that is awake does what it
// has to do at once. So are the steps of a program that nothing else at the store meets. That a
// marker is forgotten comes as early as it may: what follows on something else
// follows at once.
func inTime(moments []moment) []moment {
	for i := len(moments) - 1; i >= 0; i-- {
		m := &moments[i]
		if m.what != doWake && m.what != doRestart {
			continue
		}
		next := slices.IndexFunc(moments[i+1:], func(o moment) bool { return o.who == m.who && o.isOfWorker() })
		if next > 0 {
			moveMoment(moments, i, i+next)
		}
	}
	for i := len(moments) - 1; i >= 0; i-- {
		if m := &moments[i]; m.what == doStep {
			moveMoment(moments, i, i+putOff(m, moments[i+1:]))
		}
	}
	for i := range moments {
		m := moments[i]
		if m.what != doForget {
			continue
		}
		to := i
		for to > 0 && !(moments[to-1].job == m.job && moments[to-1].isOfWorker()) {
			to--
		}
		moveMoment(moments, i, to)
	}
	return moments
}

// putOff returns by how many of the moments that follow it a step can come later: up
// to what the worker does next, but for what the store would tell from it. What it
// does next follows at once, so that what comes between has to come before both.
func putOff(m *moment, following []moment) int {
	for i := range following {
		switch o := &following[i]; {
		case o.isOfWorker() && o.who == m.who:
			return i
		case o.job == m.job && (o.what == doStep || o.what == doForget || o.what == doArrive && o.op == model.OpApply):
			return 0
		}
	}
	return 0
}

// moveMoment moves the moment at from to the place to. References to moments move
// along.
func moveMoment(moments []moment, from, to int) {
	m := moments[from]
	moments = slices.Insert(slices.Delete(moments, from, from+1), to, m)
	for k := range moments {
		at := &moments[k].delay
		switch {
		case *at == from:
			*at = to
		case from < *at && *at <= to:
			*at--
		case to <= *at && *at < from:
			*at++
		}
	}
}

// isOfWorker reports whether a worker does m, or is struck by it.
func (m *moment) isOfWorker() bool {
	switch m.what {
	case doClaim, doStep, doSettle, doBeat, doCrash, doPause, doWake, doRestart, doGiveUp:
		return true
	}
	return false
}
