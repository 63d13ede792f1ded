package exhaust

import (
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// sleeping is a world whose actions have footprints, for sleep sets: see explore.Sleeper.
// What a footprint leaves out would make a search lose states, so that each bit is there
// for anything that an action reads as well as for what it changes, and all that is rare
// (acts, jumps, lost writes) touches everything. TestActionsThatShareNothingAreIndependent
// tries both orders of every two.
type sleeping struct {
	*World
	moved places // where everything had come from in the last Apply
}

var _ explore.Sleeper[State] = (*sleeping)(nil)
var _ explore.Forker[State] = (*sleeping)(nil)

// Fork is World.Fork.
func (w *sleeping) Fork() explore.Model[State] { return &sleeping{World: w.fork()} }

// Apply is World.Apply, and remembers which places were changed.
func (w *sleeping) Apply(s *State, a explore.Action, hits []explore.Hit) []explore.Hit {
	hits = w.carryOut(s, decode(a), hits)
	if w.moved = unmoved; w.scope.Symmetry {
		w.moved = w.normalise(s)
	}
	return hits
}

// The bits of a footprint: workers and jobs, and what jobs share.
const (
	ofJob      = MaxWorkers
	inPending  = 1 << (MaxWorkers + MaxJobs + iota) // what is there, and so who is served next
	inActive                                        // who is there, in which order, and who is due
	inSchedule                                      // who is there, in which order
	inMail                                          // the numbers of letters
	inPast                                          // what a crash may bring back
	everything = ^uint64(0)
)

// The bits of actions that can sleep, for each worker or each job, and what stands alone.
const (
	sleepsGo      = 0 // a worker claims, settles, wakes, restarts or gives up: one of these it does next
	sleepsCrash   = sleepsGo + MaxWorkers
	sleepsPause   = sleepsCrash + MaxWorkers
	sleepsBeat    = sleepsPause + MaxWorkers
	sleepsLost    = sleepsBeat + MaxWorkers // its settlement is lost
	sleepsLate    = sleepsLost + MaxWorkers // or late
	sleepsEnqueue = sleepsLate + MaxWorkers
	sleepsUnsent  = sleepsEnqueue + MaxJobs // an enqueue is lost
	sleepsEnd     = sleepsUnsent + MaxJobs
	sleepsForget  = sleepsEnd + MaxJobs
	sleepsPumps   = sleepsForget + MaxJobs
	sleepsLapse   = sleepsPumps + 3 // the last of 64
	neverSleeps   = -1
)

// Footprint returns what a may touch in s, and its bit if it can sleep. Where one of
// several places is chosen it never does, nor with most fates of its message.
func (w *sleeping) Footprint(s *State, a explore.Action) (bit int, touches uint64) {
	d := decode(a)
	touches = w.touches(s, d)
	if d.what == doSettle && d.n != 0 || w.anyPlace || w.anyRunAt {
		return neverSleeps, touches
	}
	var first int
	of := d.who
	switch d.what {
	case doEnqueue:
		first, of = byFate(d.how, sleepsEnqueue, sleepsUnsent, neverSleeps), d.job
	case doSettle:
		first = byFate(d.how, sleepsGo, sleepsLost, sleepsLate)
	case doEnd:
		first, of = sleepsEnd, d.job
	case doForget:
		first, of = sleepsForget, d.job
	case doReap, doSweep, doPromote:
		first, of = sleepsPumps, uint8(d.what-doReap)
	case doLapse:
		first, of = sleepsLapse, 0
	default:
		first = w.sleepsAs(d)
	}
	if first == neverSleeps {
		return neverSleeps, touches
	}
	return first + int(of), touches
}

// byFate returns where the bits begin of a message that is fine, lost or late.
func byFate(h how, isFine, isLost, isLate int) int {
	switch h {
	case fine:
		return isFine
	case dropped:
		return isLost
	case late:
		return isLate
	}
	return neverSleeps
}

// sleepsAs returns where the bits begin of what a worker does, but for its settlement.
func (w *sleeping) sleepsAs(d deed) int {
	switch {
	case d.how != fine:
		return neverSleeps
	case d.what == doClaim || d.what == doWake || d.what == doRestart || d.what == doGiveUp:
		return sleepsGo
	case d.what == doCrash:
		return sleepsCrash
	case d.what == doPause:
		return sleepsPause
	case d.what == doBeat:
		return sleepsBeat
	}
	return neverSleeps
}

func (w *sleeping) touches(s *State, d deed) uint64 {
	touches := w.parties(s, d)
	if d.how == late || d.how == doubled || d.what == doArrive {
		touches |= inMail
	}
	if d.how == dropped || d.how == late {
		return touches // nothing comes to the queue
	}
	switch d.what {
	case doWake, doRestart, doGiveUp, doCrash, doPause, doEnd, doForget, doStep:
		return touches
	case doEnqueue:
		touches |= inPending
		if w.jobs[d.job].delayed {
			touches |= inSchedule
		}
	case doClaim:
		touches |= inPending | inActive
	case doSettle:
		touches |= inActive | w.stands(s, d.job)
		if d.op != model.OpComplete || d.n != 0 {
			touches |= inPending | inSchedule
		}
	case doLapse:
		touches |= inActive // and a write notes who is due then
	case doPromote:
		touches |= inSchedule | inPending
	case doBeat, doReap, doSweep, doArrive:
		touches |= inPending | inActive | inSchedule
	default:
		return everything
	}
	if w.scope.forgets() {
		touches |= inPast
	}
	return touches
}

// parties returns the worker and the jobs that d is about. What a worker does is about
// the job that it holds: whether its lease may lapse depends on it.
func (w *sleeping) parties(s *State, d deed) uint64 {
	touches := uint64(1) << (ofJob + d.job)
	switch d.what {
	case doEnqueue:
		if before := w.jobs[d.job].after; before >= 0 {
			touches |= 1 << (ofJob + before)
		}
	case doArrive:
		if first := w.queue(s).first; d.op == model.OpClaim && first >= 0 {
			return 1 << (ofJob + first)
		}
	case doReap, doSweep, doPromote, doLapse, doEnd, doForget:
	case doRestart:
		return 1 << d.who
	default:
		touches |= 1 << d.who
		if k := &s.workers[d.who]; k.holds() {
			touches = 1<<d.who | 1<<(ofJob+k.job)
		}
	}
	return touches
}

// stands returns the sets that job j is in.
func (w *sleeping) stands(s *State, j uint8) (touches uint64) {
	sets := w.queue(s).stands[j].Sets
	if sets&model.InPending != 0 {
		touches |= inPending
	}
	if sets&model.InSchedule != 0 {
		touches |= inSchedule
	}
	return touches
}

// Carry lets what is asleep change places with its workers and jobs. Where some workers go
// first in s, nothing sleeps behind what led there.
func (w *sleeping) Carry(s *State, asleep uint64) (kept uint64, alone bool) {
	if _, is := w.hasty(s); is {
		return 0, true
	}
	if w.scope.PartialOrder {
		if _, is := w.alone(s, w.queue(s)); is {
			return 0, true
		}
	}
	if !w.scope.Symmetry || w.moved == unmoved {
		return asleep, false
	}
	kept = asleep >> sleepsPumps << sleepsPumps
	for first := sleepsGo; first < sleepsEnqueue; first += MaxWorkers {
		for to, from := range w.moved.workers {
			kept |= asleep >> (first + int(from)) & 1 << (first + to)
		}
	}
	for first := sleepsEnqueue; first < sleepsPumps; first += MaxJobs {
		for to, from := range w.moved.jobs {
			kept |= asleep >> (first + int(from)) & 1 << (first + to)
		}
	}
	return kept, false
}
