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

type leasedJob struct {
	set     uint8 // pending, active, done
	due     uint8
	claims  uint8
	effects uint8 // 2 stands for more
	mail    uint8 // by token, as bits: late settlements
}

type leasedWorker struct{ phase, job, token uint8 }

const (
	pending, active, done = 0, 1, 2
	idle, working, acking = 0, 1, 2
)

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

func (l leased) Initial() leasedState { return leasedState{left: l.faults} }

func (l leased) Cost(explore.Action) int { return 0 }

func (l leased) Actions(s *leasedState, list []explore.Action) []explore.Action {
	for w := range l.workers {
		list = l.work(s, w, list)
	}
	for j := range l.jobs {
		job := &s.jobs[j]
		if job.set == active {
			list = append(list, act(doLapse+job.due, j, 0))
		}
		for t := uint8(1); job.mail>>t != 0; t++ {
			if job.mail>>t&1 != 0 {
				list = append(list, act(doArrive, j, t))
			}
		}
	}
	return list
}

func (l leased) work(s *leasedState, w uint8, list []explore.Action) []explore.Action {
	k := &s.workers[w]
	job := &s.jobs[k.job]
	switch k.phase {
	case idle:
		for j := range l.jobs {
			if s.jobs[j].set == pending && s.jobs[j].claims < l.claims {
				list = append(list, act(doClaim, w, j))
			}
		}
	case working:
		list = append(list, act(doWork, w, 0))
		if job.due == 1 && k.token == job.claims {
			list = append(list, act(doBeat, w, 0))
		}
		if s.left > 0 {
			list = append(list, act(doCrash, w, 0))
		}
	case acking:
		list = append(list, act(doAck, w, 0))
		if s.left > 0 {
			list = append(list, act(doLose, w, 0))
			if job.mail>>k.token&1 == 0 {
				list = append(list, act(doDelay, w, 0))
			}
		}
	}
	return list
}

func (l leased) Apply(s *leasedState, a explore.Action, hits []explore.Hit) []explore.Hit {
	who, about := uint8(a>>3&7), uint8(a&7)
	switch kind := uint8(a >> 6); kind {
	case doLapse:
		s.jobs[who].due = 1
	case doReap:
		s.jobs[who].due, s.jobs[who].set = 0, pending
	case doArrive:
		s.jobs[who].mail &^= 1 << about
		return s.settle(who, about, hits)
	case doClaim:
		job := &s.jobs[about]
		job.set = active
		job.claims++
		s.workers[who] = leasedWorker{working, about, job.claims}
	default:
		return s.step(kind, &s.workers[who], hits)
	}
	return hits
}

// step is what a worker does that holds a job.
func (s *leasedState) step(kind uint8, k *leasedWorker, hits []explore.Hit) []explore.Hit {
	job := &s.jobs[k.job]
	switch kind {
	case doWork:
		job.effects = min(2, job.effects+1)
		k.phase = acking
		return hits
	case doBeat:
		job.due = 0
		return hits
	case doAck:
		hits = s.settle(k.job, k.token, hits)
	case doDelay:
		job.mail |= 1 << k.token
		s.left--
	default:
		s.left--
	}
	*k = leasedWorker{}
	return hits
}

// settle ends job j, and reports it if no work was done.
func (s *leasedState) settle(j, token uint8, hits []explore.Hit) []explore.Hit {
	job := &s.jobs[j]
	if job.set != active || job.claims != token {
		return hits
	}
	job.set, job.due = done, 0
	if job.effects == 0 {
		hits = append(hits, explore.Hit{Property: 1})
	}
	return hits
}

// AppendState needs 11 bits for a job, 6 for a worker and 3 for the faults.
func (l leased) AppendState(b []byte, s *leasedState) []byte {
	v := uint64(s.left)
	for i := range l.jobs {
		j := &s.jobs[i]
		v = v<<11 | uint64(j.set)<<9 | uint64(j.due)<<8 | uint64(j.claims)<<6 | uint64(j.effects)<<4 | uint64(j.mail)
	}
	for i := range l.workers {
		k := &s.workers[i]
		v = v<<6 | uint64(k.phase)<<4 | uint64(k.job)<<2 | uint64(k.token)
	}
	return binary.LittleEndian.AppendUint64(b, v)
}

func (l leased) LoadState(b []byte, s *leasedState) {
	v := binary.LittleEndian.Uint64(b)
	for i := int(l.workers) - 1; i >= 0; i-- {
		s.workers[i] = leasedWorker{uint8(v >> 4 & 3), uint8(v >> 2 & 3), uint8(v & 3)}
		v >>= 6
	}
	for i := int(l.jobs) - 1; i >= 0; i-- {
		s.jobs[i] = leasedJob{uint8(v >> 9 & 3), uint8(v >> 8 & 1), uint8(v >> 6 & 3), uint8(v >> 4 & 3), uint8(v & 15)}
		v >>= 11
	}
	s.left = uint8(v)
}
