package exhaust

import (
	"errors"
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// draining is a world in which drains is judged: from every state, once faults stop, an
// end is reachable, and no fair run stays away from it for ever. What a fault began ends
// with it: workers that stood still wake, crashed ones come back, late letters arrive,
// and where an operator may pause the queue he resumes it, which is free and is offered
// in this world alone.
//
// Fair is weakly fair: who could act from some moment on for ever acts. Each worker is
// one who acts, whatever it does next, and so are its heart, each producer's next
// enqueue, each pump, the network that brings late letters, the markers' age, the
// operator's resume, and time itself, under which leases end. So a run in which a
// heartbeat comes for ever and its worker never goes on is not fair.
//
// A job is claimed Scope.Claims times at most, so that a state in which the next claim
// is forbidden is at the edge of the world, neither an end nor stuck. What never ends in
// such a world goes round in its shapes: states that differ in nothing but how often
// jobs were claimed. Since queues count too, a round counts only if it can be gone again,
// up to MaxClaims: see Repeats.
//
// Workers have to be told apart. By symmetry they would change places from state to state,
// and who is never served could not be seen (Emerson and Sistla, TOPLAS 1997).
type draining struct{ *World }

var _ explore.Ender[State] = draining{}
var _ explore.Fair[State] = draining{}
var _ explore.Forker[State] = draining{}

// forDrains returns the model in which drains of w is judged.
func (w *World) forDrains() (explore.Model[State], error) {
	switch {
	case w.scope.PartialOrder:
		return nil, errors.New("drains needs every transition: switch the partial order off")
	case w.scope.Symmetry:
		return nil, errors.New("drains needs workers that are told apart, to see who is never served: switch the symmetry off")
	case len(w.workers) == 0:
		return nil, errors.New("drains is not judged without workers; it promises that somebody does the work")
	}
	return draining{w}, nil
}

// Fork is World.Fork.
func (w draining) Fork() explore.Model[State] { return draining{w.fork()} }

// resumes is the operator's resume behind a pause. That it is free tells it from an act.
var resumes = deed{what: doAct, op: model.OpResume, n: 1}.code()

// Actions appends what may happen in s.
func (w draining) Actions(s *State, list []explore.Action) []explore.Action {
	list = w.World.Actions(s, list)
	if w.queue(s).paused && slices.Contains(w.scope.Acts, model.OpPause) {
		list = append(list, resumes)
	}
	return list
}

// Cost returns whether a is a fault.
func (w draining) Cost(a explore.Action) int {
	if a == resumes {
		return 0
	}
	return w.World.Cost(a)
}

// The classes of free actions, from 0: enqueues by job, workers, their hearts, pumps,
// and what else goes on by itself.
const (
	ofWorkers = MaxJobs
	ofHearts  = ofWorkers + MaxWorkers
	ofPumps   = ofHearts + MaxWorkers
	ofTime    = ofPumps + 3
	ofEnds    = ofTime + 1
	ofMarkers = ofEnds + MaxJobs
	ofLetters = ofMarkers + MaxJobs
	ofResume  = ofLetters + 1
)

// Class returns who acts in a.
func (w draining) Class(a explore.Action) uint8 {
	d := decode(a)
	switch d.what {
	case doEnqueue:
		return d.job
	case doBeat:
		return ofHearts + d.who
	case doReap, doSweep, doPromote:
		return ofPumps + uint8(d.what-doReap)
	case doLapse:
		return ofTime
	case doEnd:
		return ofEnds + d.job
	case doForget:
		return ofMarkers + d.job
	case doArrive:
		return ofLetters
	case doAct:
		return ofResume
	}
	return ofWorkers + d.who
}

// AppendShape appends what of s does not count up: where everything stands, how
// deliveries compare with the last one of their job, and how often jobs have yet to fail.
func (w draining) AppendShape(b []byte, s *State) []byte {
	q := w.queue(s)
	b = append(b, s.due, s.mailed, uint8(len(q.active)), uint8(len(q.schedule)), flag(q.paused))
	b = append(append(b, q.active...), q.schedule...)
	for i := range w.jobs {
		j, stands := &s.jobs[i], &q.stands[i]
		failing := max(w.jobs[i].fails, j.n) - j.n
		b = append(b, uint8(stands.Sets), uint8(stands.Fields), j.sends, uint8(j.flags), uint8(j.end), j.effects, failing, j.settled>>j.n&1)
	}
	for i := range w.workers {
		k := &s.workers[i]
		b = append(b, uint8(k.phase)|uint8(k.flags)<<3)
		if k.holds() {
			b = append(b, k.job, s.jobs[k.job].n-k.n, k.step, uint8(k.verb), k.sends|k.spent<<4)
		}
	}
	for _, l := range s.letters() {
		behind := uint8(0)
		if l.n > 0 {
			behind = 1 + s.jobs[l.job].n - l.n
		}
		b = append(b, uint8(l.op), l.who, l.job, behind)
	}
	return b
}

func flag(is bool) uint8 {
	if is {
		return 1
	}
	return 0
}

// Repeats goes the cycle again and again, in a world with as many claims as there can
// be, and reports whether each round comes to states of the same shapes. A cycle that
// ends in the state in which it began need not be tried.
func (w draining) Repeats(stem, cycle []explore.Action) bool {
	wide := *w.World
	wide.scope.Claims = MaxClaims
	r := draining{&wide}
	s := r.Initial()
	for _, a := range stem {
		r.Apply(&s, a, nil)
	}
	first := r.AppendState(nil, &s)
	var round []string
	for _, a := range cycle {
		r.Apply(&s, a, nil)
		round = append(round, string(r.AppendShape(nil, &s)))
	}
	if slices.Equal(first, r.AppendState(nil, &s)) {
		return true
	}
	for r.Outlook(&s) == explore.Open {
		for i, a := range cycle {
			if r.Outlook(&s) == explore.Edge {
				return true
			}
			if !r.again(&s, a, round[i]) {
				return false
			}
		}
	}
	return r.Outlook(&s) == explore.Edge
}

// again takes the action in s that is a one round later.
func (w draining) again(s *State, a explore.Action, shape string) bool {
	was := decode(a)
	for _, b := range w.Actions(s, nil) {
		d := decode(b)
		if d.what != was.what || d.how != was.how || d.who != was.who || d.job != was.job || d.op != was.op || w.Cost(b) > 0 {
			continue
		}
		next := *s
		w.Apply(&next, b, nil)
		if string(w.AppendShape(nil, &next)) == shape {
			*s = next
			return true
		}
	}
	return false
}
