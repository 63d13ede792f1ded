package valkey

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/ackgap/ackgap/model"
)

// errHeld says that another live queue has the keyspace.
var errHeld = errors.New("another program that runs has the queue's keyspace")

// own makes the keyspace this connection's, so that two programs on one server
// do not play in one: one key says which connection has it, by the server's
// number of it. A keyspace whose connection is gone was left behind, and is
// refused like any that is not empty; FlushFirst takes it over.
func (q *Queue) own() error {
	if err := q.number(); err != nil {
		return err
	}
	holder, err := q.conn.call("SET", q.keys.owner, q.me, "NX", "GET")
	said, isError := holder.(error)
	isForeign := isError && redis.HasErrorPrefix(said, "WRONGTYPE") // a key of another type
	if isError && !isForeign {
		err = fmt.Errorf("the server answered %q", said)
	}
	if err != nil {
		return err
	}
	if q.isOwner = holder == nil; q.isOwner {
		return nil
	}
	if q.isAlive(holder) {
		return errHeld
	}
	if !FlushFirst {
		return q.refuse(append(q.all(), q.keys.owner))
	}
	if isForeign {
		q.ask("DEL", q.keys.owner)
	}
	if q.takeOver(); !q.isOwner {
		return cmp.Or(q.err, errHeld)
	}
	return q.err
}

// number asks for the number of the connection.
func (q *Queue) number() error {
	n, isNumber := q.ask("CLIENT", "ID").(int64)
	if q.err == nil && !isNumber {
		q.fail(errors.New("CLIENT ID: the server does not number its connections"))
	}
	q.me = strconv.FormatInt(n, 10)
	return q.err
}

// takeOver becomes the owner in place of one that is gone, which it returns.
func (q *Queue) takeOver() any {
	before := q.ask("SET", q.keys.owner, q.me, "GET")
	if q.isOwner = before == nil || !q.isAlive(before); !q.isOwner {
		q.ask("SET", q.keys.owner, textOf(before)) // it is at work: give it back
	}
	return before
}

// isAlive reports whether the connection with that number is there.
func (q *Queue) isAlive(holder any) bool {
	list, err := q.conn.call("CLIENT", "LIST", "ID", textOf(holder))
	return err == nil && textOf(list) != ""
}

// refuse refuses a keyspace in which keys stand: they may be somebody's, and no
// run may begin with them.
func (q *Queue) refuse(keys []string) error {
	if len(keys) > 0 {
		return fmt.Errorf("the server has %d keys %s*, as %s, of a run that was killed or of somebody else; give another server, or --flush-queue to delete just these",
			len(keys), q.keys.root, model.Safe(keys[0]))
	}
	return q.err
}
