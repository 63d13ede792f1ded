package actors

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/model"
)

// Scene is what all actors of one run can see: who is who, what the queue is
// set to, what the jobs are, and the table of ids. Only minting and the
// numbering of calls change it.
type Scene struct {
	Queue, Pump, Store model.Proc

	Lease       time.Duration
	RetryDelay  time.Duration
	MaxAttempts int32
	MaxStalled  int32

	Work    model.Seed // of how long the work of a delivery takes, where that is drawn
	Outside model.Mint // of ids that `do enqueue` makes

	Jobs   []JobSpec // by model.Job; index 0 is unused
	IDs    []model.ID
	owns   []model.Job // the job behind each id
	newest []Ref       // by job, as far as jobs have ids; NoRef for none
	refs   model.IDTable
	known  int  // so many of IDs are in refs, which follows when it is asked
	mixed  bool // IDs do not rise, as where several producers mint or a clock is set back
	last   Ref  // what was asked for last
	calls  int32
}

// JobSpec is one intent of a producer.
type JobSpec struct {
	At      model.Time
	By      model.Proc // NoProc: only named by a `do enqueue`
	Delay   time.Duration
	Fails   int32 // deliveries 1..Fails return an error after the work
	Payload string
}

// Reset empties the tables, so that the scene can be used again, and makes room for
// so many jobs of one id each.
func (s *Scene) Reset(jobs int) {
	s.Jobs = model.Room(s.Jobs, jobs)
	s.IDs, s.owns, s.newest = model.Room(s.IDs, jobs), model.Room(s.owns, jobs), model.Room(s.newest, jobs)
	s.calls, s.last, s.mixed = 0, 0, false
	s.refs.Clear()
	s.known = 0
}

// NextCall numbers the calls of a run, from 1.
func (s *Scene) NextCall() int32 {
	s.calls++
	return s.calls
}

// Mint gives job j a fresh id from mint, at the local time of its host.
func (s *Scene) Mint(mint *model.Mint, now model.Time, j model.Job) Ref {
	id := mint.Next(now)
	ref := Ref(len(s.IDs))
	s.mixed = s.mixed || ref > 0 && s.IDs[ref-1].Compare(id) >= 0
	s.IDs = append(s.IDs, id)
	s.owns = append(s.owns, j)
	for len(s.newest) <= int(j) {
		s.newest = append(s.newest, NoRef)
	}
	s.newest[j] = ref
	return ref
}

// Ref returns the place of id, or NoRef for an id that nobody here minted. Most likely
// it is the last that was asked for, or the next: ids are served as they were minted,
// and where a claim can be lost each is asked about twice.
func (s *Scene) Ref(id model.ID) Ref {
	for ref := s.last; ref <= s.last+1 && int(ref) < len(s.IDs); ref++ {
		if s.IDs[ref] == id {
			s.last = ref
			return ref
		}
	}
	ref := s.search(id)
	s.last = max(ref, 0)
	return ref
}

// search returns the place of id, or NoRef: by halving as long as IDs rise.
func (s *Scene) search(id model.ID) Ref {
	if !s.mixed {
		if i, ok := slices.BinarySearchFunc(s.IDs, id, model.ID.Compare); ok {
			return Ref(i)
		}
		return NoRef
	}
	for ; s.known < len(s.IDs); s.known++ {
		s.refs.Put(s.IDs[s.known], int32(s.known))
	}
	if ref, ok := s.refs.Get(id); ok {
		return Ref(ref)
	}
	return NoRef
}

// ID returns the id at ref, or the zero id for NoRef.
func (s *Scene) ID(ref Ref) model.ID {
	if ref == NoRef {
		return model.ID{}
	}
	return s.IDs[ref]
}

// Owner returns the job behind ref, or NoJob.
func (s *Scene) Owner(ref Ref) model.Job {
	if ref == NoRef {
		return model.NoJob
	}
	return s.owns[ref]
}

// latest returns the newest id of j, or NoRef.
func (s *Scene) latest(j model.Job) Ref {
	if int(j) >= len(s.newest) {
		return NoRef
	}
	return s.newest[j]
}

// outside returns the id under which a raw enqueue speaks of j: the one it has
// already, or a fresh one.
func (s *Scene) outside(j model.Job, now model.Time) Ref {
	if ref := s.latest(j); ref != NoRef {
		return ref
	}
	return s.Mint(&s.Outside, now, j)
}
