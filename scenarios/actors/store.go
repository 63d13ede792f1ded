package actors

import (
	"strconv"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim"
)

// Store is the world outside the queue: the ledger of effects, the consumers'
// markers, the rows that upserts and the fence are about, the tables of the
// scorer and the outside service. It survives every crash, is always within
// reach, and is the only one that writes Effected.
type Store struct {
	effects []int32 // by job: changes of the outside ledger
	rows    []row   // by Ref: what is kept under the job's id
	closed  bool    // scorer: SET cm:<game>:closed NX
	outside Outside // what handlers reach; nil without them
}

// row is what the store keeps under one id.
type row struct {
	marked   bool
	upserted bool // the effect's own row, keyed by the job
	markedAt model.Time
	fence    model.Token // the highest token seen
}

// Reset empties the store for a run of the given number of jobs (index 0 among
// them is unused).
func (s *Store) Reset(jobs int) {
	effects := model.Room(s.effects, jobs)
	for range jobs {
		effects = append(effects, 0)
	}
	*s = Store{effects: effects, rows: model.Room(s.rows, jobs)}
}

// SetOutside gives s the world whose service answers the calls of handlers.
func (s *Store) SetOutside(o Outside) { s.outside = o }

func (s *Store) row(ref Ref) *row {
	for int(ref) >= len(s.rows) {
		s.rows = append(s.rows, row{})
	}
	return &s.rows[ref]
}

// deed is one step at the store: who does it, for which delivery.
type deed struct {
	event *model.Event // that is to be written: Proc, Op, Job, ID, N, Token and Step are set
	ref   Ref
}

// check reads the marker: a read, and no more.
func (s *Store) check(d deed, life time.Duration, fx *Effects) bool {
	found := s.stands(d.ref, life, fx.Now())
	d.event.Kind = model.Checked
	if found {
		d.event.Flags |= model.IsFound
	}
	fx.Write(nil)
	return found
}

// stands reports whether the marker of ref is there. A life above zero is how
// long a marker is remembered.
func (s *Store) stands(ref Ref, life time.Duration, now model.Time) bool {
	r := s.row(ref)
	return r.marked && (life <= 0 || now < r.markedAt.Add(life))
}

// mark writes the marker: a plain write that looks at nothing.
func (s *Store) mark(d deed, fx *Effects) {
	r := s.row(d.ref)
	d.event.Kind = model.Marked
	if r.marked {
		d.event.Flags |= model.IsFound
	}
	r.marked, r.markedAt = true, fx.Now()
	fx.Write(nil)
}

// apply changes the outside ledger.
func (s *Store) apply(d deed, fx *Effects) {
	s.effects[d.event.Job]++
	d.event.Kind, d.event.Effect = model.Effected, s.effects[d.event.Job]
	fx.Write(nil)
}

// absorb records a step that changed nothing outside.
func (s *Store) absorb(d deed, why model.Cause, fx *Effects) {
	d.event.Kind, d.event.Cause = model.Absorbed, why
	fx.Write(nil)
}

// transact inserts the marker under a unique key and applies, both or neither.
func (s *Store) transact(d deed, life time.Duration, fx *Effects) {
	if s.stands(d.ref, life, fx.Now()) {
		s.absorb(d, model.ByMarker, fx)
		return
	}
	r := s.row(d.ref)
	r.marked, r.markedAt = true, fx.Now()
	s.apply(d, fx)
}

// upsert writes the effect's row under the job's id: once it stands, writing it
// again changes nothing. Why is what absorbed the second one.
func (s *Store) upsert(d deed, why model.Cause, fx *Effects) {
	r := s.row(d.ref)
	if r.upserted {
		s.absorb(d, why, fx)
		return
	}
	r.upserted = true
	s.apply(d, fx)
}

// fenced applies unless the store has seen a higher token for this id. An equal
// one passes, so the fence does not close a lost ACK.
func (s *Store) fenced(d deed, fx *Effects) bool {
	r := s.row(d.ref)
	if d.event.Token < r.fence {
		s.absorb(d, model.ByFence, fx)
		return false
	}
	r.fence = d.event.Token
	s.apply(d, fx)
	return true
}

// Step answers a call to the outside service.
func (s *Store) Step(in *Input, fx *Effects) {
	if in.Kind != sim.Arrival {
		return
	}
	m := in.Msg
	d := deed{fx.Event(), m.Ref}
	m.label(d.event)
	d.event.Step = model.StepApply
	m.IsReply, m.Answer = true, model.OK
	switch {
	case in.Refused:
		m.Answer = model.UnknownAnswer
	case m.Ask > 0:
		s.take(d, s.outside.Serve(m.Ask, fx.Now()), fx)
	case m.Keyed:
		s.upsert(d, model.ByKey, fx)
	default:
		s.apply(d, fx)
	}
	fx.Reply(in, m, m.Point(), true)
}

// take records what a step of a handler came to. Of an effect the ledger is the
// handler's own, and what it counted is believed.
func (s *Store) take(d deed, done Deed, fx *Effects) {
	for range done.Effects {
		s.apply(d, fx)
	}
	if done.Effects > 0 {
		return
	}
	d.event.Kind, d.event.Cause = done.Kind, done.Cause
	if done.Found {
		d.event.Flags |= model.IsFound
	}
	fx.Write(nil)
}

// points reads the score of a guess from its payload: a number from 0 to 600;
// 100 where there is none. Any other payload names an unknown game.
func points(payload string) (score int32, known bool) {
	if payload == "" {
		return 100, true
	}
	n, err := strconv.ParseInt(payload, 10, 32)
	return int32(n), err == nil && n >= 0 && n <= 600
}

// score takes one of the scorer's steps besides the insert. Its counter and its
// board are records and no more: no later step reads them, but who closes the
// game first is who pays.
func (s *Store) score(d deed, fx *Effects) {
	d.event.Kind = model.Marked
	if d.event.Step == model.StepClose {
		if s.closed {
			d.event.Flags |= model.IsFound
		}
		s.closed = true
	}
	fx.Write(nil)
}
