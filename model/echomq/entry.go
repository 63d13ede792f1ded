package echomq

import (
	"slices"

	"github.com/ackgap/ackgap/model"
)

// set is one of the four sets, as an index. Its bit in model.Sets is 1<<set.
type set int

const (
	pending set = iota
	active
	schedule
	dead
	setCount
)

func (s set) bit() model.Sets { return 1 << s }

// state is the row field of that name.
type state uint8

const (
	statePending state = iota + 1
	stateActive
	stateScheduled
	stateDead
)

var stateNames = [...]string{"", "pending", "active", "scheduled", "dead"}

// The fields that a row may have beyond those that admission writes.
const (
	hasError   = model.HasPayload << 1
	hasStalled = model.HasPayload << 2
	hasToken   = model.HasPayload << 3
)

// row is a job's hash on the wire. A field that it does not have is zero, so
// that rows compare by ==. No field means that there is no row.
type row struct {
	has       model.Fields
	state     state
	attempts  model.Token
	stalled   int
	token     model.Token // hardened only
	payload   string
	lastError string
}

func (r *row) setState(s state) { r.has, r.state = r.has|model.HasState, s }

func (r *row) setAttempts(n model.Token) { r.has, r.attempts = r.has|model.HasAttempts, n }

func (r *row) setPayload(p string) { r.has, r.payload = r.has|model.HasPayload, p }

func (r *row) setError(text string) { r.has, r.lastError = r.has|hasError, text }

func (r *row) dropError() { r.has, r.lastError = r.has&^hasError, "" }

func (r *row) setStalled(n int) { r.has, r.stalled = r.has|hasStalled, n }

// place is where an id is a member and with which scores.
type place struct {
	sets   model.Sets
	scores [setCount]model.Time // 0 where it is no member
	lease  model.Time           // early-expiry only: how long the present lease is

	unmarked bool // pop-then-mark only: no reap or sweep finds the lease lapsed
}

func (p *place) in(s set) bool { return p.sets&s.bit() != 0 }

// entry is all that the queue knows of one id. It lives as long as the id has a
// row or is a member of a set.
type entry struct {
	id model.ID
	row
	place
	slot  int32  // its own place in the table
	stamp uint64 // the Apply that touched it last
}

func (e *entry) exists() bool { return e.has != 0 }

func (e *entry) isEmpty() bool { return e.has == 0 && e.sets == 0 }

// stand writes into s where an id with this row and place stands.
func stand(s *model.Standing, r *row, p *place) {
	s.Sets, s.Fields, s.Attempts = p.sets, r.has&model.FullRow, r.attempts
	s.Deadline, s.RunAt = p.scores[active], p.scores[schedule]
}

// table holds the entries: a slice with holes that are used again, and an index
// that serves look-ups only and is never walked.
type table struct {
	slots []entry
	free  []int32
	index model.IDTable
}

// of returns the entry of a member: whoever is in a set has one.
func (t *table) of(m *member) *entry { return &t.slots[m.slot] }

// get returns the entry of id, or nil. The pointer is good until the next add.
func (t *table) get(id model.ID) *entry {
	if i, ok := t.index.Get(id); ok {
		return &t.slots[i]
	}
	return nil
}

// add returns a new and empty entry for id, which must have none.
func (t *table) add(id model.ID) *entry {
	i := int32(len(t.slots))
	if n := len(t.free); n > 0 {
		i, t.free = t.free[n-1], t.free[:n-1]
	} else {
		t.slots = append(model.RoomForOne(t.slots), entry{})
	}
	e := &t.slots[i]
	e.id, e.slot = id, i
	t.index.Put(id, i)
	return e
}

// drop forgets e.
func (t *table) drop(e *entry) {
	t.index.Delete(e.id)
	t.free = append(t.free, e.slot)
	*e = entry{}
}

// sorted returns the entries in the order of their ids.
func (t *table) sorted() []*entry {
	all := make([]*entry, 0, t.index.Len())
	for i := range t.slots {
		if e := &t.slots[i]; !e.id.IsZero() {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b *entry) int { return a.id.Compare(b.id) })
	return all
}

func (t *table) clear() {
	t.slots, t.free = t.slots[:0], t.free[:0]
	t.index.Clear()
}

func (t *table) clone() table {
	return table{slots: slices.Clone(t.slots), free: slices.Clone(t.free), index: t.index.Clone()}
}
