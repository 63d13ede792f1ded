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

// leasedState is up to three jobs, of 11 bits, up to four workers, of 6, and the faults
// that are left, in one word.
type leasedState uint64

const (
	jobBits     = 11
	workerBits  = 6
	firstWorker = 3 * jobBits
	oneLeft     = leasedState(1) << (firstWorker + 4*workerBits)
)

func (s leasedState) job(j uint8) leasedJob { return leasedJob(s>>jobAt(j)) & (1<<jobBits - 1) }

func (s leasedState) worker(w uint8) leasedWorker {
	return leasedWorker(s>>workerAt(w)) & (1<<workerBits - 1)
}

// jobAt and workerAt return where they begin, which the compiler sees to be within the word.
func jobAt(j uint8) uint8    { return j * jobBits & 63 }
func workerAt(w uint8) uint8 { return (firstWorker + w*workerBits) & 63 }

// leasedJob is the fields of a job by their bits, as Promela declares them: late
// settlements by token, 4; effects, 2, of which 2 stands for more; claims, 2; whether its
// lease is over; and where it stands, 2, which is pending unless a bit says so.
type leasedJob leasedState

const (
	oneEffect = 1 << (4 + iota*2)
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
type leasedWorker leasedState

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

func (l *leased) Initial() leasedState { return leasedState(l.faults) * oneLeft }

func (l *leased) Cost(explore.Action) int { return 0 }

func (l *leased) Actions(s *leasedState, list []explore.Action) []explore.Action {
	for w := range l.workers {
		list = l.work(s, w, list)
	}
	for j := range l.jobs {
		job := s.job(j)
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
	k := s.worker(w)
	job := s.job(k.job())
	switch k.phase() {
	case idle:
		for j := range l.jobs {
			if job := s.job(j); job&(isActive|isDone) == 0 && job.claims() < l.claims {
				list = append(list, act(doClaim, w, j))
			}
		}
	case working:
		list = append(list, act(doWork, w, 0))
		if job&isDue != 0 && k.token() == job.claims() {
			list = append(list, act(doBeat, w, 0))
		}
		if *s >= oneLeft {
			list = append(list, act(doCrash, w, 0))
		}
	case acking:
		list = append(list, act(doAck, w, 0))
		if *s >= oneLeft {
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
		*s |= isDue << jobAt(who)
	case doReap:
		*s &^= (isActive | isDue) << jobAt(who)
	case doArrive:
		*s &^= 1 << about << jobAt(who)
		return s.settle(who, about, hits)
	case doClaim:
		*s += (isActive + oneClaim) << jobAt(about)
		token := s.job(about).claims()
		*s |= leasedState(working<<4|about<<2|token) << workerAt(who)
	default:
		return s.step(kind, who, hits)
	}
	return hits
}

// step is what a worker does that holds a job.
func (s *leasedState) step(kind, w uint8, hits []explore.Hit) []explore.Hit {
	k := s.worker(w)
	at := jobAt(k.job())
	switch kind {
	case doWork:
		if s.job(k.job())&(2*oneEffect) == 0 {
			*s += oneEffect << at
		}
		*s += (acking - working) << 4 << workerAt(w)
		return hits
	case doBeat:
		*s &^= isDue << at
		return hits
	case doAck:
		hits = s.settle(k.job(), k.token(), hits)
	case doDelay:
		*s |= 1 << k.token() << at
		*s -= oneLeft
	default:
		*s -= oneLeft
	}
	*s &^= (1<<workerBits - 1) << workerAt(w)
	return hits
}

// settle ends job j, and reports it if no work was done.
func (s *leasedState) settle(j, token uint8, hits []explore.Hit) []explore.Hit {
	job, at := s.job(j), jobAt(j)
	if job&isActive == 0 || job.claims() != token {
		return hits
	}
	*s = *s&^((isActive|isDue)<<at) | isDone<<at
	if job&(3*oneEffect) == 0 {
		hits = append(hits, explore.Hit{Property: 1})
	}
	return hits
}

func (l *leased) AppendState(b []byte, s *leasedState) []byte {
	return binary.LittleEndian.AppendUint64(b, uint64(*s))
}

func (l *leased) LoadState(b []byte, s *leasedState) {
	*s = leasedState(binary.LittleEndian.Uint64(b))
}
