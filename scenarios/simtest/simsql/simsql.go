// Package simsql gives a consumer under test a *sql.DB on an embedded SQLite,
// whose every statement and commit is a point at which its process may crash or
// stand still: see simtest.
//
//	simtest.CheckConsumer(t, func(ctx context.Context, job simtest.Job) error {
//		return payOnce(ctx, simsql.DB(job), job.ID)
//	}, simsql.With(schema, `SELECT count(*) FROM payments WHERE job = ?`))
//
// The database outlives every crash within a run, as a server does; what a dead
// process had open is rolled back. BEGIN and a query are a step Read each, a statement
// within a transaction a step Write, and what becomes true for all a step Commit: the
// end of a transaction, or a statement outside of one. A query that changes something
// (RETURNING) counts as a statement. BEGIN takes the lock for writing, as `BEGIN
// IMMEDIATE` does; who finds it taken waits up to 5s of virtual time, in steps Sleep,
// and then has an error, "database is locked".
//
// The SQLite is github.com/ncruces/go-sqlite3: pure Go from three small modules,
// it builds for 386 and for WASM, which modernc.org/sqlite (about twice as fast
// where a world begins with opening a database) does not for WASM. Here databases
// are opened once and emptied between runs, so that the difference is small.
package simsql

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ncruces/go-sqlite3"
	sqlite "github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/vfs/memdb"

	"github.com/ackgap/ackgap/scenarios/simtest"
)

// resource is the name under which jobs find the database.
const resource = "simsql"

// With gives the consumer a database with this schema: statements of SQLite, and
// rows to begin with. Effects is a query for one whole number: how often the
// outside has changed under the job whose id is its one parameter. It is asked
// after each commit of that job's consumer; what it has grown by are effects. A
// schema or a query that SQLite refuses ends the test.
func With(schema, effects string) simtest.Option {
	return simtest.With(resource, func() (simtest.Resource, error) { return open(schema, effects) })
}

// DB returns the database, as the process of the job's worker has opened it. It
// is valid for this delivery.
func DB(job simtest.Job) *sql.DB {
	d, ok := job.Resource(resource).(*database)
	if !ok {
		panic("simsql: the check lacks the option simsql.With")
	}
	return d.of(job)
}

// names tells the databases of one program apart.
var names atomic.Int64

// database is the server: a simtest.Resource.
type database struct {
	name, fresh string // of the shared memory: as it is, and as a run begins
	boss        *sqlite3.Conn
	effects     *sqlite3.Stmt
	seen        map[string]int // effects by job

	mu      sync.Mutex
	rest    *sync.Cond // something that a done context had open was closed
	clients map[int]*client
	idle    []sqlite.Conn // connections without an owner
}

func open(schema, effects string) (*database, error) {
	n := names.Add(1)
	d := &database{name: fmt.Sprintf("ackgap-%d", n), fresh: fmt.Sprintf("ackgap-%d-fresh", n), clients: map[int]*client{}}
	d.rest = sync.NewCond(&d.mu)
	memdb.Create(d.name, nil)
	memdb.Create(d.fresh, nil)
	if err := d.prepare(schema, effects); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *database) prepare(schema, effects string) (err error) {
	if d.boss, err = sqlite3.Open(uri(d.name)); err != nil {
		return err
	}
	if err := d.boss.Exec(schema); err != nil {
		return fmt.Errorf("the schema is refused: %w", err)
	}
	if d.effects, _, err = d.boss.Prepare(effects); err != nil {
		return fmt.Errorf("the query of effects is refused: %w", err)
	}
	if d.effects == nil || d.effects.BindCount() != 1 || d.effects.ColumnCount() != 1 || !d.effects.ReadOnly() {
		return fmt.Errorf("the query of effects must be a SELECT of one number with one parameter, the job's id; it is %q", effects)
	}
	return d.boss.Backup("main", uri(d.fresh))
}

func uri(name string) string { return "file:/" + name + "?vfs=memdb" }

// Reset makes the database what it was after its schema.
func (d *database) Reset() error {
	d.crashAll()
	d.seen = map[string]int{}
	return d.boss.Restore("main", uri(d.fresh))
}

// Close gives the memory back.
func (d *database) Close() error {
	d.crashAll()
	var errs []error
	for _, c := range d.idle {
		errs = append(errs, c.Close())
	}
	if d.effects != nil {
		errs = append(errs, d.effects.Close())
	}
	if d.boss != nil {
		errs = append(errs, d.boss.Close())
	}
	memdb.Delete(d.name)
	memdb.Delete(d.fresh)
	return errors.Join(errs...)
}

// grown returns by how much the effects of a job have grown since it was last
// asked.
func (d *database) grown(job string) (int, error) {
	s := d.effects
	defer func() { _ = s.Reset() }() // the error is Step's, which Err has told
	if err := s.BindText(1, job); err != nil {
		return 0, err
	}
	if !s.Step() {
		return 0, fmt.Errorf("simsql: the query of effects returned no row: %w", s.Err())
	}
	n := s.ColumnInt(0)
	more := max(0, n-d.seen[job])
	d.seen[job] = n
	return more, nil
}

// connect returns a connection: an idle one, or a new one.
func (d *database) connect() (sqlite.Conn, error) {
	if n := len(d.idle); n > 0 {
		c := d.idle[n-1]
		d.idle = d.idle[:n-1]
		return c, nil
	}
	c, err := (&sqlite.SQLite{}).Open(uri(d.name) + "&_pragma=busy_timeout(0)")
	if err != nil {
		return nil, err
	}
	return c.(sqlite.Conn), nil
}

// busyTimeout is how long who finds the database locked waits, in virtual time,
// and between its tries.
const (
	busyTimeout = 5 * time.Second
	busyPause   = 50 * time.Millisecond
)
