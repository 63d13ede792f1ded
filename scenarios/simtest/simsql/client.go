package simsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"time"

	"github.com/ncruces/go-sqlite3"
	sqlite "github.com/ncruces/go-sqlite3/driver"

	"github.com/ackgap/ackgap/scenarios/simtest"
)

// client is one process of a worker: its pool of connections. It is a
// driver.Connector.
type client struct {
	server *database
	db     *sql.DB
	job    simtest.Job // the delivery under way
	conns  []*conn
}

// of returns the pool of the job's worker, new for each of its processes.
func (d *database) of(job simtest.Job) *sql.DB {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.clients[job.Worker()]
	if c == nil {
		c = &client{server: d}
		c.db = sql.OpenDB(c)
		d.clients[job.Worker()] = c
	}
	c.job = job
	return c.db
}

// Crash rolls back what the process had open, and closes its connections.
func (d *database) Crash(worker int) {
	d.mu.Lock()
	c := d.clients[worker]
	delete(d.clients, worker)
	d.mu.Unlock()
	if c != nil {
		c.crash()
	}
}

func (d *database) crashAll() {
	for worker := range d.clients { // each is gone in the end, in any order
		d.Crash(worker)
	}
}

func (c *client) crash() {
	d := c.server
	d.mu.Lock()
	for _, cn := range c.conns {
		cn.release()
	}
	c.conns = nil
	d.mu.Unlock()
	_ = c.db.Close() // its connections are closed already
}

// Quiet waits until database/sql has closed, in goroutines of its own, what a
// context had open that is done by now.
func (d *database) Quiet(worker int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for c := d.clients[worker]; c != nil && c.closing(); {
		d.rest.Wait()
	}
}

// closing reports whether something is open under a context that is done. A
// connection in the middle of a call is closed when the call is over.
func (c *client) closing() bool {
	for _, cn := range c.conns {
		if !cn.busy && cn.open() {
			return true
		}
	}
	return false
}

// Connect and Driver make client a driver.Connector.
func (c *client) Connect(context.Context) (driver.Conn, error) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	raw, err := c.server.connect()
	if err != nil {
		return nil, err
	}
	cn := &conn{client: c, raw: raw}
	c.conns = append(c.conns, cn)
	return cn, nil
}

func (c *client) Driver() driver.Driver { return &sqlite.SQLite{} }

// conn is a connection whose calls cross to the outside. What goroutines of
// database/sql do to it behind the handler's back does not cross: it closes.
type conn struct {
	client *client
	raw    sqlite.Conn     // nil once it is closed
	tx     context.Context // of the transaction that is open, or nil
	rows   []*rows         // that are open
	busy   bool            // in the middle of a call
}

// open reports whether a done context still has something open.
func (c *conn) open() bool {
	if c.tx != nil && c.tx.Err() != nil {
		return true
	}
	for _, r := range c.rows {
		if r.ctx.Err() != nil {
			return true
		}
	}
	return false
}

// release rolls back and gives the connection to who comes next. The lock is held.
func (c *conn) release() {
	if c.raw == nil {
		return
	}
	raw := c.raw
	c.raw, c.tx, c.rows = nil, nil, nil
	if raw.Raw().GetAutocommit() || raw.Raw().Exec(`ROLLBACK`) == nil {
		c.client.server.idle = append(c.client.server.idle, raw)
	} else {
		_ = raw.Close() // nobody gets it again
	}
	c.client.server.rest.Broadcast()
}

// Close closes the connection.
func (c *conn) Close() error {
	c.client.server.mu.Lock()
	defer c.client.server.mu.Unlock()
	c.release()
	return nil
}

// cross takes one step at the database, again while it is locked.
func (c *conn) cross(ctx context.Context, step simtest.Step, f func(sqlite.Conn) error) error {
	c.busy = true
	defer func() { c.busy = false }()
	job := c.client.job
	for waited := time.Duration(0); ; waited += busyPause {
		var failed error
		err := job.Do(ctx, step, func() simtest.Deed { return c.deed(step, f, &failed) })
		if err = errors.Join(err, failed); !errors.Is(err, sqlite3.BUSY) || waited >= busyTimeout {
			return err
		}
		if err := job.Sleep(ctx, busyPause); err != nil {
			return err
		}
	}
}

func (c *conn) deed(step simtest.Step, f func(sqlite.Conn) error, failed *error) simtest.Deed {
	if c.raw == nil {
		*failed = driver.ErrBadConn
		return simtest.Deed{}
	}
	if *failed = f(c.raw); *failed != nil || step != simtest.Commit {
		return simtest.Deed{}
	}
	n, err := c.client.server.grown(c.client.job.ID)
	*failed = err
	return simtest.Deed{Effects: n}
}

// Begin is for who does not know BeginTx.
func (c *conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx begins a transaction: with the lock for writing, unless it only reads.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	begin := `BEGIN IMMEDIATE`
	if opts.ReadOnly {
		begin = `BEGIN`
	}
	if err := c.cross(ctx, simtest.Read, func(raw sqlite.Conn) error { return raw.Raw().Exec(begin) }); err != nil {
		return nil, err
	}
	c.tx = ctx
	return tx{c}, nil
}

// tx is the transaction that a conn has open.
type tx struct{ *conn }

// Commit makes it true, in one step. It is over either way.
func (t tx) Commit() error {
	err := t.cross(context.WithoutCancel(t.conn.tx), simtest.Commit, func(raw sqlite.Conn) error { return raw.Raw().Exec(`COMMIT`) })
	if err != nil {
		err = errors.Join(err, t.Rollback())
	}
	t.ended()
	return err
}

func (t tx) ended() {
	t.client.server.mu.Lock()
	defer t.client.server.mu.Unlock()
	t.conn.tx = nil
	t.client.server.rest.Broadcast()
}

// Rollback undoes it. It does not cross: who dies before it has it done as well.
func (t tx) Rollback() error {
	t.client.server.mu.Lock()
	defer t.client.server.mu.Unlock()
	defer t.client.server.rest.Broadcast()
	t.conn.tx = nil
	if t.raw == nil || t.raw.Raw().GetAutocommit() {
		return nil
	}
	return t.raw.Raw().Exec(`ROLLBACK`)
}

// Prepare returns the statement; it is prepared anew whenever it is used.
func (c *conn) Prepare(query string) (driver.Stmt, error) { return &stmt{c, query}, nil }

type stmt struct {
	conn  *conn
	query string
}

func (s *stmt) Close() error  { return nil }
func (s *stmt) NumInput() int { return -1 }

func (s *stmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (s *stmt) Query([]driver.Value) (driver.Rows, error)  { return nil, driver.ErrSkip }

func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.ExecContext(ctx, s.query, args)
}

func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.query, args)
}

// ExecContext takes the statement in one step.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (result driver.Result, err error) {
	err = c.cross(ctx, c.writes(), func(raw sqlite.Conn) error {
		return c.with(raw, query, func(s driver.Stmt) error {
			result, err = s.(driver.StmtExecContext).ExecContext(context.Background(), args)
			return err
		})
	})
	return result, err
}

// writes is what a statement that changes something is: alone it is a commit.
func (c *conn) writes() simtest.Step {
	if c.tx != nil {
		return simtest.Write
	}
	return simtest.Commit
}

func (c *conn) with(raw sqlite.Conn, query string, f func(driver.Stmt) error) error {
	s, err := raw.PrepareContext(context.Background(), query)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.Close())
}

// QueryContext takes the query in one step, all of its rows. One that changes
// something (RETURNING) is a write.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	step := simtest.Read
	if s, _, err := c.raw.Raw().Prepare(query); err == nil && s != nil {
		if !s.ReadOnly() {
			step = c.writes()
		}
		_ = s.Close() // nothing was run
	}
	r := &rows{conn: c, ctx: ctx}
	err := c.cross(ctx, step, func(raw sqlite.Conn) error {
		r.names, r.list = nil, nil
		return c.with(raw, query, func(s driver.Stmt) error { return r.read(s, args) })
	})
	if err != nil {
		return nil, err
	}
	c.rows = append(c.rows, r)
	return r, nil
}

// rows are the rows of a query, read.
type rows struct {
	conn  *conn
	ctx   context.Context
	names []string
	list  [][]driver.Value
}

func (r *rows) read(s driver.Stmt, args []driver.NamedValue) error {
	from, err := s.(driver.StmtQueryContext).QueryContext(context.Background(), args)
	if err != nil {
		return err
	}
	r.names = from.Columns()
	for {
		row := make([]driver.Value, len(r.names))
		err := from.Next(row)
		if err == io.EOF {
			return from.Close()
		}
		if err != nil {
			return errors.Join(err, from.Close())
		}
		for i, v := range row {
			if b, ok := v.([]byte); ok {
				row[i] = append([]byte(nil), b...) // SQLite's memory is used again
			}
		}
		r.list = append(r.list, row)
	}
}

func (r *rows) Columns() []string { return r.names }

func (r *rows) Next(dest []driver.Value) error {
	if len(r.list) == 0 {
		return io.EOF
	}
	copy(dest, r.list[0])
	r.list = r.list[1:]
	return nil
}

func (r *rows) Close() error {
	d := r.conn.client.server
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, open := range r.conn.rows {
		if open == r {
			r.conn.rows = append(r.conn.rows[:i], r.conn.rows[i+1:]...)
			break
		}
	}
	d.rest.Broadcast()
	return nil
}
