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

// value is what stands under a key. Version tells one from the next.
type value struct {
	text    string
	until   model.Time // 0: for ever
	version int64
}

// look returns what stands under key now; the zero value for nothing.
func (o *outside) look(key string, now model.Time) value {
	v := o.values[key]
	if v.until > 0 && now >= v.until {
		return value{}
	}
	return v
}

// put writes text under key, under a version of its own.
func (o *outside) put(key, text string, ttl time.Duration, now model.Time) {
	o.versions++
	v := value{text: text, version: o.versions}
	if ttl > 0 {
		v.until = now.Add(ttl)
	}
	o.values[key] = v
}

type store struct{ course *course }

func (s store) Get(ctx context.Context, key string) (string, bool, error) {
	v, err := s.get(ctx, key)
	return v.text, v.version > 0, err
}

func (s store) get(ctx context.Context, key string) (value, error) {
	err := s.course.take(ctx, Read, want{key: key}, func(c *course, now model.Time) actors.Deed {
		found := c.find(now)
		return actors.Deed{Kind: model.Checked, Found: found}
	})
	if err != nil {
		return value{}, err
	}
	return s.course.want.found, nil
}

// find looks for what is wanted, and reports whether it is there.
func (c *course) find(now model.Time) bool {
	c.want.found = c.out.look(c.want.key, now)
	return c.want.found.version > 0
}

func (s store) Put(ctx context.Context, key, text string, ttl time.Duration) error {
	return s.course.take(ctx, Write, want{key: key, text: text, ttl: ttl}, func(c *course, now model.Time) actors.Deed {
		found := c.find(now)
		c.out.put(c.want.key, c.want.text, c.want.ttl, now)
		return actors.Deed{Kind: model.Marked, Found: found}
	})
}

func (s store) PutNew(ctx context.Context, key, text string, ttl time.Duration) (bool, error) {
	err := s.course.take(ctx, Write, want{key: key, text: text, ttl: ttl}, func(c *course, now model.Time) actors.Deed {
		found := c.find(now)
		if !found {
			c.out.put(c.want.key, c.want.text, c.want.ttl, now)
		}
		return actors.Deed{Kind: model.Marked, Found: found}
	})
	return err == nil && s.course.want.found.version == 0, err
}

func (s store) Delete(ctx context.Context, key string) error {
	return s.course.take(ctx, Write, want{key: key}, func(c *course, now model.Time) actors.Deed {
		found := c.find(now)
		delete(c.out.values, c.want.key)
		return actors.Deed{Kind: model.Marked, Found: found}
	})
}

func (s store) Update(ctx context.Context, f func(Tx) error) error {
	t := s.course.transaction()
	t.store, t.ctx = s, ctx
	if err := f(t); err != nil {
		return err
	}
	return s.course.take(ctx, Commit, want{tx: t}, func(c *course, now model.Time) (done actors.Deed) {
		done, c.want.err = c.want.tx.commit(now)
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

// seen is a key that was read, and which value of it.
type seen struct {
	key     string
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
	for _, before := range t.read {
		if before.key == key && before.version != v.version {
			return v.text, v.version > 0, ErrConflict
		}
	}
	if t.read == nil {
		t.read = t.oneSeen[:0]
	}
	t.read = append(t.read, seen{key, v.version})
	return v.text, v.version > 0, nil
}

func (t *transaction) Put(key, text string, ttl time.Duration) {
	if t.writes == nil {
		t.writes = t.oneWrite[:0]
	}
	t.writes = append(t.writes, write{key: key, text: text, ttl: ttl})
}

func (t *transaction) Delete(key string) {
	t.writes = append(t.writes, write{key: key, gone: true})
}

func (t *transaction) Apply() { t.effects++ }

// commit makes the transaction true, unless what it has read is so no more.
func (t *transaction) commit(now model.Time) (actors.Deed, error) {
	for _, r := range t.read {
		if t.course.out.look(r.key, now).version != r.version {
			return actors.Deed{Kind: model.Absorbed, Cause: model.ByRefusal}, ErrConflict
		}
	}
	for _, w := range t.writes {
		if w.gone {
			delete(t.course.out.values, w.key)
			continue
		}
		t.course.out.put(w.key, w.text, w.ttl, now)
	}
	return actors.Deed{Kind: model.Marked, Effects: t.effects}, nil
}
