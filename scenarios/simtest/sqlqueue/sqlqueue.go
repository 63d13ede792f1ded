// Package sqlqueue is a leased job queue on SQL, as many have one: a table of jobs on
// an embedded SQLite, and one statement with RETURNING for each verb. It is an
// example for simtest.CheckQueue, complete and right as it stands, and three times
// wrong in a way in which such queues often are: see Faults.
//
//	func TestQueue(t *testing.T) {
//		simtest.CheckQueue(t, func() model.Queue { return sqlqueue.Must(sqlqueue.Faults{}) },
//			simtest.Claims(sqlqueue.Claims...))
//	}
//
// SQLite has one writer, so that each statement is one atomic step. On a server with
// several the claim needs `FOR UPDATE SKIP LOCKED`, and the rest is the same.
package sqlqueue

import (
	"database/sql"
	"fmt"

	_ "github.com/ncruces/go-sqlite3/driver" // the driver "sqlite3"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/queuetest"
)

// Claims is what the queue can do when it has no fault.
var Claims = []queuetest.Capability{
	queuetest.Exclusive, queuetest.ByToken, queuetest.Fence, queuetest.TokensRise, queuetest.SettlesOnce,
	queuetest.Dedup, queuetest.Ordered, queuetest.Conserving, queuetest.Extends, queuetest.Schedules,
	queuetest.DeadLetters, queuetest.ServerClock,
}

// A job that is done keeps its row, so that the tokens go on rising when it is
// enqueued once more. Instants are in nanoseconds.
const schema = `
	CREATE TABLE jobs(
		id       TEXT PRIMARY KEY,
		payload  TEXT NOT NULL,
		state    TEXT NOT NULL,              -- pending, active, scheduled, dead, done
		token    INTEGER NOT NULL DEFAULT 0, -- how often it was claimed, ever
		attempts INTEGER NOT NULL DEFAULT 0, -- the same since it was enqueued last
		deadline INTEGER NOT NULL DEFAULT 0, -- of its lease
		run_at   INTEGER NOT NULL DEFAULT 0,
		error    TEXT    NOT NULL DEFAULT '')`

// What the statements have in common.
const (
	// A settlement is for the delivery that it names, and for no later one.
	held = `WHERE id = :id AND state = 'active' AND token = :token`
	// A conflict with a job that is not done changes nothing, and returns no row.
	admit = `ON CONFLICT(id) DO UPDATE SET payload = excluded.payload, state = excluded.state, run_at = excluded.run_at,
		attempts = 0, deadline = 0, error = '' WHERE jobs.state = 'done'`
	schedule  = `INSERT INTO jobs(id, payload, state, run_at) VALUES(:id, :payload, 'scheduled', :run_at) ` + admit
	returning = ` RETURNING id, token, payload, state, attempts, deadline, run_at`
)

// statements are the queue: one for each verb, with the parameters that Apply binds.
var statements = map[model.Op]string{
	model.OpEnqueue:   `INSERT INTO jobs(id, payload, state) VALUES(:id, :payload, 'pending') ` + admit,
	model.OpEnqueueIn: schedule,
	model.OpEnqueueAt: schedule,
	model.OpClaim: `UPDATE jobs SET state = 'active', token = token + 1, attempts = attempts + 1, deadline = :until
		WHERE id = (SELECT id FROM jobs WHERE state = 'pending' OR state = 'active' AND deadline <= :now ORDER BY id LIMIT 1)`,
	model.OpExtend:   `UPDATE jobs SET deadline = max(deadline, :until) ` + held,
	model.OpComplete: `UPDATE jobs SET state = 'done' ` + held,
	model.OpRetry: `UPDATE jobs SET state = CASE WHEN attempts >= :max THEN 'dead' ELSE 'scheduled' END,
		run_at = :run_at, error = :error ` + held,
	model.OpReap:    `UPDATE jobs SET state = 'pending' WHERE state = 'active' AND deadline <= :now`,
	model.OpPromote: `UPDATE jobs SET state = 'pending' WHERE state = 'scheduled' AND run_at <= :now`,
}

// Queue is a model.Queue, which tells what it touches, can be emptied, closed, and
// lost.
type Queue struct {
	db         *sql.DB
	faults     Faults
	statements map[model.Op]*sql.Stmt
	err        error

	touched []model.Touch
	stands  map[model.ID]model.Standing
	scanned []string // ScansThenApplies: whose leases the reaper found lapsed
}

// New opens an empty queue. The error is SQLite's.
func New(faults Faults) (*Queue, error) {
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // the next one would be another database
	q := &Queue{db: db, faults: faults, statements: map[model.Op]*sql.Stmt{}, stands: map[model.ID]model.Standing{}}
	q.exec(schema)
	for op, text := range statements { // in any order
		q.prepare(op, faults.in(op, text)+returning)
	}
	return q, q.err
}

// Must is New for tests: it panics where SQLite cannot be opened.
func Must(faults Faults) *Queue {
	q, err := New(faults)
	if err != nil {
		panic(err)
	}
	return q
}

func (q *Queue) exec(text string) {
	if _, err := q.db.Exec(text); err != nil && q.err == nil {
		q.err = err
	}
}

func (q *Queue) prepare(op model.Op, text string) {
	s, err := q.db.Prepare(text)
	if err != nil && q.err == nil {
		q.err = fmt.Errorf("%s: %w", op, err)
	}
	q.statements[op] = s
}

// Apply carries out one request by one statement.
func (q *Queue) Apply(now model.Time, req model.Request) model.Reply {
	q.touched = q.touched[:0]
	if q.faults.ScansThenApplies && req.Op == model.OpReap {
		return q.reapInTwo(now)
	}
	if q.faults.ClientClock && req.Op != model.OpReap {
		now = req.Clock
	}
	switch {
	case q.err != nil:
		return model.Reply{Answer: model.OK} // it is lost: Err tells
	case req.Op == model.OpDelay:
		return model.Reply{Answer: model.Gone} // it is not done here, and who asks shall know
	case q.statements[req.Op] == nil:
		return model.Reply{Answer: model.UnknownAnswer, Err: "there is no " + req.Op.String()}
	}
	runAt := now.Add(req.Delay)
	if req.Op == model.OpEnqueueAt {
		runAt = req.At
	}
	rows, err := q.statements[req.Op].Query(
		sql.Named("id", req.ID.String()), sql.Named("token", int64(req.Token)), sql.Named("payload", req.Payload),
		sql.Named("error", req.Error), sql.Named("max", req.Max), sql.Named("now", int64(now)),
		sql.Named("until", int64(now.Add(req.Lease))), sql.Named("run_at", int64(runAt)))
	return answer(req.Op, q.changed(rows, err))
}

// row is a job as a statement has left it.
type row struct {
	id              model.ID
	token           model.Token
	payload, state  string
	attempts        model.Token
	deadline, runAt model.Time
}

// changed reads what a statement returns, which is what it has changed.
func (q *Queue) changed(rows *sql.Rows, err error) (list []row) {
	if err != nil {
		q.err = err
		return nil
	}
	defer func() { _ = rows.Close() }() // Err has told
	for rows.Next() {
		var r row
		var id string
		if q.err = rows.Scan(&id, &r.token, &r.payload, &r.state, &r.attempts, &r.deadline, &r.runAt); q.err != nil {
			return nil
		}
		if r.id, q.err = model.ParseID(id); q.err != nil {
			return nil
		}
		list = append(list, r)
		q.touch(r)
	}
	if err := rows.Err(); err != nil {
		q.err = err
	}
	return list
}

// answer puts what a statement returned into the words of the protocol.
func answer(op model.Op, rows []row) model.Reply {
	if op == model.OpReap || op == model.OpPromote {
		return model.Reply{Answer: model.OK, Moved: len(rows)}
	}
	if len(rows) == 0 {
		return model.Reply{Answer: refusals[op]}
	}
	r := rows[0]
	rep := model.Reply{Answer: model.OK, Grant: model.Grant{Until: r.deadline}}
	switch op {
	case model.OpClaim:
		rep.Grant = model.Grant{Holding: model.Holding{ID: r.id, Token: r.token}, Until: r.deadline, Payload: r.payload}
	case model.OpEnqueue:
		rep = model.Reply{Answer: model.Enqueued}
	case model.OpEnqueueIn, model.OpEnqueueAt, model.OpRetry:
		rep.Answer, rep.Until = model.Scheduled, r.runAt
		if r.state == "dead" {
			rep.Answer, rep.Until = model.DeadLettered, 0
		}
	}
	return rep
}

// refusals are the answers where no row has changed.
var refusals = map[model.Op]model.Answer{
	model.OpEnqueue: model.Duplicate, model.OpEnqueueIn: model.Duplicate, model.OpEnqueueAt: model.Duplicate,
	model.OpClaim:  model.Empty,
	model.OpExtend: model.Stale, model.OpComplete: model.Stale, model.OpRetry: model.Stale,
}

// touch takes note of where a job stands now.
func (q *Queue) touch(r row) {
	after := standing(r)
	q.touched = append(q.touched, model.Touch{ID: r.id, Before: q.stands[r.id], After: after})
	q.stands[r.id] = after
}

func standing(r row) model.Standing {
	s := model.Standing{Fields: model.FullRow, Attempts: r.attempts}
	switch r.state {
	case "pending":
		s.Sets = model.InPending
	case "active":
		s.Sets, s.Deadline = model.InActive, r.deadline
	case "scheduled":
		s.Sets, s.RunAt = model.InSchedule, r.runAt
	case "dead":
		s.Sets = model.InDead
	default: // done: for the queue it is no more
		return model.Standing{}
	}
	return s
}

// Touched tells what the last Apply changed.
func (q *Queue) Touched() []model.Touch { return q.touched }

// Err returns why the database can be asked no more.
func (q *Queue) Err() error { return q.err }

// Reset empties the queue.
func (q *Queue) Reset() {
	q.exec(`DELETE FROM jobs`)
	q.touched, q.scanned = nil, nil
	clear(q.stands)
}

// Close closes the database.
func (q *Queue) Close() error { return q.db.Close() }
