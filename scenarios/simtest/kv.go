package simtest

import (
	"context"
	"errors"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// ErrConflict is what Update comes back with when something that it read was
// changed before it could commit. Nothing of it has happened.
var ErrConflict = errors.New("simtest: the transaction read what another one has changed")

// KV is a key-value store that outlives every crash: each call is one atomic
// step. A ttl above zero is how long a value is remembered, zero or less is for ever.
type KV interface {
	Get(ctx context.Context, key string) (value string, found bool, err error)
	Put(ctx context.Context, key, value string, ttl time.Duration) error
	// PutNew puts the value unless there is one, as SET NX does, and reports
	// whether it did.
	PutNew(ctx context.Context, key, value string, ttl time.Duration) (bool, error)
	Delete(ctx context.Context, key string) error
	// Update runs f as a serializable transaction: what f reads crosses to the
	// outside, what it writes is kept until f returns nil, and then becomes true
	// in one step, the Commit. Another error of f is returned, and nothing
	// happens.
	Update(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction of a KV, with the outside ledger in it.
type Tx interface {
	// Get reads what is committed, or what this transaction has put.
	Get(key string) (value string, found bool, err error)
	Put(key, value string, ttl time.Duration)
	Delete(key string)
	// Apply changes the outside ledger under the job when the transaction commits.
	Apply()
}

// look returns what stands in the cell now; the zero value for nothing.
func (c *cell) look(now model.Time) value {
	if c.until > 0 && now >= c.until {
		return value{}
	}
	return c.value
}

// put writes text into a cell, under a version of its own.
func (o *outside) put(at *cell, text string, ttl time.Duration, now model.Time) {
	o.versions++
	at.value = value{text: text, version: o.versions}
	if ttl > 0 {
		at.until = now.Add(ttl)
	}
}

type store struct{ course *course }

func (s store) Get(ctx context.Context, key string) (string, bool, error) {
	v, err := s.get(ctx, key)
	return v.text, v.version > 0, err
}

func (s store) get(ctx context.Context, key string) (value, error) {
	err := s.course.take(ctx, Read, request{key: key}, func(c *course, r *request, now model.Time) actors.Deed {
		return actors.Deed{Kind: model.Checked, Found: c.out.find(r, now)}
	})
	if err != nil {
		return value{}, err
	}
	return s.course.on.about.found, nil
}

// find looks for what is wanted, and reports whether it is there.
func (o *outside) find(r *request, now model.Time) bool {
	r.cell = o.cells.of(r.key)
	r.found = r.cell.look(now)
	return r.found.version > 0
}

func (s store) Put(ctx context.Context, key, text string, ttl time.Duration) error {
	return s.course.take(ctx, Write, request{key: key, text: text, ttl: ttl}, func(c *course, r *request, now model.Time) actors.Deed {
		found := c.out.find(r, now)
		c.out.put(r.cell, r.text, r.ttl, now)
		return actors.Deed{Kind: model.Marked, Found: found}
	})
}

func (s store) PutNew(ctx context.Context, key, text string, ttl time.Duration) (bool, error) {
	err := s.course.take(ctx, Write, request{key: key, text: text, ttl: ttl}, func(c *course, r *request, now model.Time) actors.Deed {
		found := c.out.find(r, now)
		if !found {
			c.out.put(r.cell, r.text, r.ttl, now)
		}
		return actors.Deed{Kind: model.Marked, Found: found}
	})
	return err == nil && s.course.on.about.found.version == 0, err
}

func (s store) Delete(ctx context.Context, key string) error {
	return s.course.take(ctx, Write, request{key: key}, func(c *course, r *request, now model.Time) actors.Deed {
		found := c.out.find(r, now)
		r.cell.value = value{}
		return actors.Deed{Kind: model.Marked, Found: found}
	})
}

func (s store) Update(ctx context.Context, f func(Tx) error) error {
	t := s.course.transaction()
	t.store, t.ctx = s, ctx
	if err := f(t); err != nil {
		return err
	}
	return s.course.take(ctx, Commit, request{tx: t}, func(c *course, r *request, now model.Time) (done actors.Deed) {
		done, r.err = r.tx.commit(now)
		return done
	})
}

// transaction returns a new one. Who may not call this is told so later, and shares no slab.
func (c *course) transaction() *transaction {
	if c.strayed() {
		return &transaction{}
	}
	return c.out.transactions.take()
}

// transaction is a Tx: the versions that it has read, and what it will write. Most do
// one of each, for which it has room.
type transaction struct {
	store
	ctx      context.Context
	read     []seen
	writes   []write
	effects  int32
	oneSeen  [1]seen
	oneWrite [1]write
}

// seen is a cell that was read, and which value of it.
type seen struct {
	cell    *cell
	version int64
}

type write struct {
	key, text string
	ttl       time.Duration
	gone      bool
}

func (t *transaction) Get(key string) (string, bool, error) {
	for i := len(t.writes) - 1; i >= 0; i-- {
		if w := &t.writes[i]; w.key == key {
			return w.text, !w.gone, nil
		}
	}
	v, err := t.get(t.ctx, key)
	if err != nil {
		return "", false, err
	}
	cell := t.course.on.about.cell
	for _, before := range t.read {
		if before.cell == cell && before.version != v.version {
			return v.text, v.version > 0, ErrConflict
		}
	}
	if t.read == nil {
		t.read = t.oneSeen[:0]
	}
	t.read = append(t.read, seen{cell, v.version})
	return v.text, v.version > 0, nil
}

func (t *transaction) Put(key, text string, ttl time.Duration) {
	t.write(write{key: key, text: text, ttl: ttl})
}

func (t *transaction) Delete(key string) { t.write(write{key: key, gone: true}) }

func (t *transaction) write(w write) {
	if t.writes == nil {
		t.writes = t.oneWrite[:0]
	}
	t.writes = append(t.writes, w)
}

func (t *transaction) Apply() { t.effects++ }

// commit makes the transaction true, unless what it has read is so no more.
func (t *transaction) commit(now model.Time) (actors.Deed, error) {
	for _, r := range t.read {
		if r.cell.look(now).version != r.version {
			return actors.Deed{Kind: model.Absorbed, Cause: model.ByRefusal}, ErrConflict
		}
	}
	for _, w := range t.writes {
		at := t.cell(w.key)
		if w.gone {
			at.value = value{}
			continue
		}
		t.course.out.put(at, w.text, w.ttl, now)
	}
	return actors.Deed{Kind: model.Marked, Effects: t.effects}, nil
}

// cell is that of a key, which is known if it was read.
func (t *transaction) cell(key string) *cell {
	for i := range t.read {
		if c := t.read[i].cell; c.key == key {
			return c
		}
	}
	return t.course.out.cells.of(key)
}
