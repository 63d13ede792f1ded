package explore_test

import (
	"encoding/binary"

	"github.com/ackgap/ackgap/sim/explore"
)

// leased is a small leased queue, written to be said in the same words in Promela and
// in Rust: see testdata/peers. Jobs are pending, active or done. A worker claims any
// pending job, does the work, and settles it; its settlement may be lost, or come late
// at any time, and a worker may crash, all of which the state counts down. A lease
// lapses at any time and is reaped at any time after; until then a heartbeat may come.
// A settlement counts if its token is that of the last claim.
type leased struct{ jobs, workers, claims, faults uint8 }

type leasedState struct {
	jobs    [4]leasedJob
	workers [4]leasedWorker
	left    uint8 // faults
}

// leasedJob is the fields of a job by their bits, as Promela declares them: late
// settlements by token, 4; effects, 2, of which 2 stands for more; claims, 2; whether its
// lease is over; and where it stands, 2, which is pending unless a bit says so.
type leasedJob uint16

const (
	oneEffect leasedJob = 1 << (4 + iota*2)
	oneClaim
	isDue
)

const (
	isActive = isDue << (1 + iota)
	isDone
)

func (j leasedJob) claims() uint8 { return uint8(j/oneClaim) & 3 }

func (j leasedJob) mail(token uint8) leasedJob { return j >> token & 1 }

// leasedWorker is its phase, its job and its token, two bits each.
type leasedWorker uint8

func (k leasedWorker) phase() uint8 { return uint8(k) >> 4 }
func (k leasedWorker) job() uint8   { return uint8(k) >> 2 & 3 }
func (k leasedWorker) token() uint8 { return uint8(k) & 3 }

const idle, working, acking = 0, 1, 2

// The actions: kind, then who, then about what, three bits each.
const (
	doClaim = iota
	doWork
	doBeat
	doCrash
	doAck
	doLose
	doDelay
	doLapse
	doReap
	doArrive
)

func act(kind, who, about uint8) explore.Action {
	return explore.Action(kind)<<6 | explore.Action(who)<<3 | explore.Action(about)
}

func (l *leased) Initial() leasedState { return leasedState{left: l.faults} }

func (l *leased) Cost(explore.Action) int { return 0 }

func (l *leased) Actions(s *leasedState, list []explore.Action) []explore.Action {
	for w := range l.workers {
		list = l.work(s, w, list)
	}
	for j := range l.jobs {
		job := s.jobs[j]
		switch {
		case job&isActive != 0 && job&isDue == 0:
			list = append(list, act(doLapse, j, 0))
		case job&isActive != 0:
			list = append(list, act(doReap, j, 0))
		}
		for t := uint8(1); job&15>>t != 0; t++ {
			if job.mail(t) != 0 {
				list = append(list, act(doArrive, j, t))
			}
		}
	}
	return list
}

func (l *leased) work(s *leasedState, w uint8, list []explore.Action) []explore.Action {
	k := s.workers[w]
	job := s.jobs[k.job()]
	switch k.phase() {
	case idle:
		for j := range l.jobs {
			if s.jobs[j]&(isActive|isDone) == 0 && s.jobs[j].claims() < l.claims {
				list = append(list, act(doClaim, w, j))
			}
		}
	case working:
		list = append(list, act(doWork, w, 0))
		if job&isDue != 0 && k.token() == job.claims() {
			list = append(list, act(doBeat, w, 0))
		}
		if s.left > 0 {
			list = append(list, act(doCrash, w, 0))
		}
	case acking:
		list = append(list, act(doAck, w, 0))
		if s.left > 0 {
			list = append(list, act(doLose, w, 0))
			if job.mail(k.token()) == 0 {
				list = append(list, act(doDelay, w, 0))
			}
		}
	}
	return list
}

func (l *leased) Apply(s *leasedState, a explore.Action, hits []explore.Hit) []explore.Hit {
	who, about := uint8(a>>3&7), uint8(a&7)
	switch kind := uint8(a >> 6); kind {
	case doLapse:
		s.jobs[who] |= isDue
	case doReap:
		s.jobs[who] &^= isActive | isDue
	case doArrive:
		s.jobs[who] &^= 1 << about
		return s.settle(who, about, hits)
	case doClaim:
		job := &s.jobs[about]
		*job += isActive + oneClaim
		s.workers[who] = leasedWorker(working<<4 | about<<2 | job.claims())
	default:
		return s.step(kind, &s.workers[who], hits)
	}
	return hits
}

// step is what a worker does that holds a job.
func (s *leasedState) step(kind uint8, k *leasedWorker, hits []explore.Hit) []explore.Hit {
	job := &s.jobs[k.job()]
	switch kind {
	case doWork:
		if *job&(2*oneEffect) == 0 {
			*job += oneEffect
		}
		*k += (acking - working) << 4
		return hits
	case doBeat:
		*job &^= isDue
		return hits
	case doAck:
		hits = s.settle(k.job(), k.token(), hits)
	case doDelay:
		*job |= 1 << k.token()
		s.left--
	default:
		s.left--
	}
	*k = 0
	return hits
}

// settle ends job j, and reports it if no work was done.
func (s *leasedState) settle(j, token uint8, hits []explore.Hit) []explore.Hit {
	job := &s.jobs[j]
	if *job&isActive == 0 || job.claims() != token {
		return hits
	}
	*job = *job&^(isActive|isDue) | isDone
	if *job&(3*oneEffect) == 0 {
		hits = append(hits, explore.Hit{Property: 1})
	}
	return hits
}

// AppendState needs 11 bits for a job, 6 for a worker and 3 for the faults.
func (l *leased) AppendState(b []byte, s *leasedState) []byte {
	v := uint64(s.left)
	for _, j := range s.jobs[:l.jobs] {
		v = v<<11 | uint64(j)
	}
	for _, k := range s.workers[:l.workers] {
		v = v<<6 | uint64(k)
	}
	return binary.LittleEndian.AppendUint64(b, v)
}

func (l *leased) LoadState(b []byte, s *leasedState) {
	v := binary.LittleEndian.Uint64(b)
	for i := int(l.workers) - 1; i >= 0; i-- {
		s.workers[i] = leasedWorker(v & 63)
		v >>= 6
	}
	for i := int(l.jobs) - 1; i >= 0; i-- {
		s.jobs[i] = leasedJob(v & 2047)
		v >>= 11
	}
	s.left = uint8(v)
}
