package valkey

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/ackgap/ackgap/model"
)

// errHeld says that another live queue has the keyspace.
var errHeld = errors.New("another program that runs has the queue's keyspace")

// own makes the keyspace this connection's, so that two programs on one server
// do not play in one: one key says which connection has it. A keyspace whose
// connection is gone was left behind, and is refused like any that is not empty;
// FlushFirst takes it over.
func (q *Queue) own() error {
	q.name()
	holder, isHeld := q.holder()
	isAlive := isHeld && q.isAlive(holder)
	switch {
	case q.err != nil:
		return q.err
	case !isHeld || !isAlive && FlushFirst:
		return q.take()
	}
	q.ask("UNWATCH")
	if isAlive {
		return errHeld
	}
	return q.refuse(append(q.all(), q.keys.owner))
}

// name gives the connection a name that no other ever has: the server numbers
// its connections, and begins again when it is restarted, but has another run_id
// then.
func (q *Queue) name() {
	q.life = infoOf(textOf(q.ask("INFO", "server")), "run_id")
	n, isNumber := q.ask("CLIENT", "ID").(int64)
	if q.err == nil && !isNumber {
		q.fail(errors.New("CLIENT ID: the server does not number its connections"))
	}
	q.me = q.life + ":" + strconv.FormatInt(n, 10)
}

// holder returns the name of the connection that has the keyspace, if one has;
// what is no name is of nobody. If that changes before take, take takes nothing.
func (q *Queue) holder() (name string, isHeld bool) {
	q.ask("WATCH", q.keys.owner)
	if q.err != nil {
		return "", false
	}
	r, err := q.conn.call("GET", q.keys.owner)
	if said, isError := r.(error); isError && !redis.HasErrorPrefix(said, "WRONGTYPE") { // which a key of another type is
		err = fmt.Errorf("the server answered %q", said)
	}
	if err != nil {
		q.fail(fmt.Errorf("GET: %w", err))
	}
	return textOf(r), r != nil
}

// isAlive reports whether the connection of that name is there.
func (q *Queue) isAlive(name string) bool {
	number, isOfThisLife := strings.CutPrefix(name, q.life+":")
	if _, err := strconv.ParseUint(number, 10, 63); err != nil || !isOfThisLife {
		return false
	}
	list, isText := q.ask("CLIENT", "LIST", "ID", number).(string)
	if q.err == nil && !isText {
		q.fail(errors.New("CLIENT LIST: the server does not tell of its connections"))
	}
	return list != ""
}

// take becomes the owner in place of what holder found, unless another has
// been faster.
func (q *Queue) take() error {
	q.conn.add("MULTI")
	q.conn.add("SET", q.keys.owner, q.me)
	q.conn.add("EXEC")
	replies, err := q.conn.do()
	if err != nil {
		q.fail(fmt.Errorf("EXEC: %w", err))
		return q.err
	}
	done := itemsOf(replies[2])
	if len(done) == 1 && done[0] == "OK" {
		return nil
	}
	if replies[2] != nil {
		q.fail(fmt.Errorf("EXEC: %s", brief(replies[2])))
		return q.err
	}
	return errHeld
}

// refuse refuses a keyspace in which keys stand: they may be somebody's, and no
// run may begin with them.
func (q *Queue) refuse(keys []string) error {
	if q.err != nil || len(keys) == 0 {
		return q.err
	}
	return fmt.Errorf("the server has %d keys %s*, as %s, of a run that was killed or of somebody else; give another server, or --flush-queue to delete just these",
		len(keys), q.keys.root, model.Safe(keys[0]))
}
