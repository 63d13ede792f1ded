package valkey

import (
	"context"
	"fmt"
	"strconv"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/model/echomq"
)

// Queue is an EchoMQ queue on a server. It is not safe for concurrent use.
//
// When the server is lost, or says what no server of the protocol says, the
// queue remembers the first such error: see Err. From then on it answers
// nothing but model.UnknownAnswer and touches nothing.
type Queue struct {
	conn    *conn
	scripts *scripts
	keys    keys
	err     error
	redial  func() (*conn, error) // nil: without the connection there is no server
	onClose []func() error        // in the order of closing

	life, me string            // the names of the server's run and of the connection: see name
	isBlind  bool              // see Blind
	seen     map[model.ID]seen // what was last seen of each id that stood
	touched  []model.Touch
	args     []string
}

var _ interface {
	model.Queue
	model.Toucher
	model.Peeker
	model.Snapshotter
	model.Resetter
	model.Failer
	model.Closer
} = (*Queue)(nil)

// newQueue returns the queue of that name behind c, ready to be asked. Its
// keyspace is as the server has it.
func newQueue(c *conn, name string, s *scripts) (*Queue, error) {
	q := &Queue{conn: c, scripts: s, keys: keysOf(name), seen: map[model.ID]seen{}}
	if err := s.load(c); err != nil {
		return nil, err
	}
	return q, nil
}

// Err returns why the queue can answer no more, or nil.
func (q *Queue) Err() error { return q.err }

// fail keeps the first error and gives the connection up.
func (q *Queue) fail(err error) {
	if q.err == nil {
		q.err = fmt.Errorf("valkey: %w", err)
		_ = q.conn.close() // the error that is told is the first
	}
}

// Touched lists what the last Apply changed: see model.Toucher.
func (q *Queue) Touched() []model.Touch { return q.touched }

// Apply carries out one request at the server instant now, as the Go machine
// does. An error reply of a class of EchoMQ's that has no verb here is answered
// UnknownAnswer with the server's words.
func (q *Queue) Apply(now model.Time, req model.Request) model.Reply {
	q.touched = q.touched[:0]
	now = now.FloorMillis()
	if err := echomq.CheckRequest(now, &req); err != nil {
		return unknown(err.Error())
	}
	if q.err == nil && now.UnixMillis() < 0 {
		q.fail(fmt.Errorf("%s is before 1970, and a server's clock is not; step it less far back", now))
	}
	var rep model.Reply
	if q.err == nil {
		rep = q.apply(now, &req)
	}
	if q.err != nil {
		q.touched = q.touched[:0]
		return unknown(q.err.Error())
	}
	return rep
}

func unknown(why string) model.Reply {
	return model.Reply{Answer: model.UnknownAnswer, Err: why}
}

// apply asks and looks: at the job that req names in the same exchange, at those
// that only the answer tells in one more.
func (q *Queue) apply(now model.Time, req *model.Request) model.Reply {
	switch req.Op {
	case model.OpPause, model.OpResume, model.OpReadPause:
		return q.flag(req.Op)
	case model.OpExtendBatch:
		return q.extendBatch(now, req)
	}
	q.args = q.arguments(q.args[:0], req)
	named := req.ID
	if q.isBlind || !isAboutOne(req.Op) {
		named = model.ID{}
	}
	answer, looks := q.run(now, req.Op, q.args, named)
	if q.err != nil {
		return model.Reply{}
	}
	rep := q.decode(now, req, answer)
	if q.err != nil {
		return rep
	}
	if !named.IsZero() {
		q.compare(named, looks)
	} else if !q.isBlind {
		q.lookAt(q.moved(now, req, &rep))
	}
	return rep
}

// isAboutOne reports whether op can change no row and no place but those of the
// job that it names.
func isAboutOne(op model.Op) bool {
	switch op {
	case model.OpClaim, model.OpClaimBatch, model.OpPromote, model.OpReap, model.OpSweep, model.OpDrain:
		return false
	}
	return true
}

// run calls the script of op, and in the same exchange looks at the job named,
// if one is. A script that the server has forgotten is loaded and called once
// more: the first call did nothing.
func (q *Queue) run(now model.Time, op model.Op, args []string, named model.ID) (any, []any) {
	replies := q.exchange(now, op, args, named)
	if q.err == nil && isNoScript(replies[0]) {
		if err := q.scripts.load(q.conn); err != nil {
			q.fail(err)
			return nil, nil
		}
		replies = q.exchange(now, op, args, named)
	}
	if q.err != nil {
		return nil, nil
	}
	return replies[0], replies[1:]
}

func (q *Queue) exchange(now model.Time, op model.Op, args []string, named model.ID) []any {
	call := []any{"EVALSHA", q.scripts.of[op].sha}
	for _, a := range args {
		call = append(call, a)
	}
	if q.scripts.isTimed {
		call = append(call, micros(now))
	}
	q.conn.batch.Do(context.Background(), call...)
	if !named.IsZero() {
		q.look(named)
	}
	replies, err := q.conn.do()
	if err != nil {
		q.fail(fmt.Errorf("%s: %w", op, err))
	}
	return replies
}

// micros is the instant as the prelude takes it: microseconds, of which it cuts
// the last six off.
func micros(now model.Time) string {
	s := strconv.FormatInt(now.UnixMillis()*1000, 10)
	return "0000000"[min(len(s), 7):] + s
}

// ask makes one exchange of a plain command.
func (q *Queue) ask(args ...string) any {
	if q.err != nil {
		return nil
	}
	r, err := q.conn.call(args...)
	if said, isError := r.(error); isError {
		err = fmt.Errorf("the server answered %q", said)
	}
	if err != nil {
		q.fail(fmt.Errorf("%s: %w", args[0], err))
	}
	return r
}

// flag sets, deletes or reads the field that pauses the queue.
func (q *Queue) flag(op model.Op) model.Reply {
	var r any
	switch op {
	case model.OpPause:
		r = q.ask("HSET", q.keys.meta, "paused", "1")
	case model.OpResume:
		r = q.ask("HDEL", q.keys.meta, "paused")
	default:
		r = q.ask("HGET", q.keys.meta, "paused")
		if _, isSet := r.(string); isSet {
			return model.Reply{Answer: model.QueuePaused}
		}
		if q.err == nil && r != nil {
			q.fail(surprise(op, r))
		}
		return model.Reply{Answer: model.OK}
	}
	if _, isNumber := r.(int64); !isNumber && q.err == nil {
		q.fail(surprise(op, r))
	}
	return model.Reply{Answer: model.OK}
}

// Peek returns the id that a claim would be served: the smallest of pending.
func (q *Queue) Peek(model.Time) (model.ID, bool) {
	first := itemsOf(q.ask("ZRANGE", q.keys.sets[pending], "0", "0"))
	if q.err != nil || len(first) == 0 {
		return model.ID{}, false
	}
	id, err := model.ParseID(textOf(first[0]))
	if err != nil {
		q.fail(fmt.Errorf("pending: %w", err))
	}
	return id, err == nil
}
