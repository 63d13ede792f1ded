package valkey

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/model"
)

// all returns every key of the queue but the one that says whose it is, in
// order. The name of a queue has no character that means something in a pattern.
func (q *Queue) all() []string {
	var found []string
	for cursor := "0"; ; {
		r := q.ask("SCAN", cursor, "MATCH", q.keys.root+"*", "COUNT", "1000")
		if q.err != nil {
			return nil
		}
		page := itemsOf(r)
		if len(page) != 2 {
			q.fail(fmt.Errorf("SCAN: %s", brief(r)))
			return nil
		}
		for _, key := range itemsOf(page[1]) {
			found = append(found, textOf(key))
		}
		if cursor = textOf(page[0]); cursor == "0" {
			break
		}
	}
	slices.Sort(found) // a scan comes in no order, and can name a key twice
	return slices.DeleteFunc(slices.Compact(found), func(key string) bool { return key == q.keys.owner })
}

// Reset deletes the queue's own keys and no others, but the one that says whose
// they are. Whether the server did is told by Err.
func (q *Queue) Reset() {
	q.touched = q.touched[:0]
	clear(q.seen)
	for keys := range slices.Chunk(q.all(), 1000) {
		q.ask(append([]string{"DEL"}, keys...)...)
	}
}

// leave deletes all that is the queue's.
func (q *Queue) leave() {
	q.Reset()
	q.ask("DEL", q.keys.owner)
}

// Close deletes the queue's own keys, ends the connection, and stops the
// server if it was begun for this queue. A queue that has lost its connection
// connects once more for it, and lets the keys be where it cannot: an error, but
// where Err has told before that the server is lost.
func (q *Queue) Close() error {
	wasLost := q.err != nil
	q.leave()
	var errs []error
	switch {
	case q.err == nil:
		errs = append(errs, q.conn.close()) // else fail has closed it
	case !q.cleanAfterLoss() && !wasLost:
		errs = append(errs, fmt.Errorf("keys %s* may be left: %w", q.keys.root, q.err))
	}
	for _, f := range q.onClose {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}

// cleanAfterLoss deletes the queue's keys by a connection of its own, if the
// server is there and the keys are still this queue's. It reports whether nothing
// of the queue's is left. Err says what it said before.
func (q *Queue) cleanAfterLoss() bool {
	if q.redial == nil {
		return true // the keys are lost with the server
	}
	c, err := q.redial()
	if err != nil {
		return false
	}
	again := Queue{conn: c, keys: q.keys}
	again.name()
	if name, _ := again.holder(); name == q.me && again.take() == nil {
		again.leave()
	}
	_ = c.close() // what could be deleted is
	return again.err == nil
}

// Snapshot shows the queue's keyspace. A key or a value that the flat queue
// never writes fails the queue: see Err.
func (q *Queue) Snapshot() model.Snapshot {
	var snap model.Snapshot
	for _, key := range q.all() {
		if id, isRow := strings.CutPrefix(key, q.keys.rows); isRow {
			snap.Rows = append(snap.Rows, q.row(key, id))
		} else {
			q.other(key, &snap)
		}
		if q.err != nil {
			return model.Snapshot{}
		}
	}
	slices.SortFunc(snap.Rows, func(a, b model.Row) int { return a.ID.Compare(b.ID) })
	return snap
}

func (q *Queue) row(key, name string) model.Row {
	id, err := model.ParseID(name)
	if err != nil {
		q.fail(fmt.Errorf("key %s: %w", model.Safe(key), err))
	}
	row := model.Row{ID: id}
	for name, value := range pairs(q.ask("HGETALL", key)) {
		row.Fields = append(row.Fields, model.Field{Name: name, Value: value})
	}
	slices.SortFunc(row.Fields, func(a, b model.Field) int { return cmp.Compare(a.Name, b.Name) })
	return row
}

// pairs walks over a flat list of names and values.
func pairs(r any) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for pair := range slices.Chunk(itemsOf(r), 2) {
			if len(pair) == 2 && !yield(textOf(pair[0]), textOf(pair[1])) {
				return
			}
		}
	}
}

// other reads a key that is no row.
func (q *Queue) other(key string, snap *model.Snapshot) {
	switch key {
	case q.keys.sets[pending]:
		snap.Pending = q.memberList(key)
	case q.keys.sets[active]:
		snap.Active = q.memberList(key)
	case q.keys.sets[schedule]:
		snap.Schedule = q.memberList(key)
	case q.keys.sets[dead]:
		snap.Dead = q.memberList(key)
	case q.keys.meta:
		snap.Paused = q.ask("HGET", key, "paused") != nil
	case q.keys.completed:
		snap.Completed = q.counter(key)
	case q.keys.failed:
		snap.Failed = q.counter(key)
	default:
		q.fail(fmt.Errorf("the flat queue has no key %s", model.Safe(key)))
	}
}

func (q *Queue) memberList(key string) []model.Member {
	r := q.ask("ZRANGE", key, "0", "-1", "WITHSCORES")
	var list []model.Member
	for name, text := range pairs(r) {
		id, err := model.ParseID(name)
		score, scoreErr := readScore(text)
		if err := cmp.Or(err, scoreErr); err != nil {
			q.fail(fmt.Errorf("%s: %w", key, err))
			return nil
		}
		list = append(list, model.Member{ID: id, Score: score})
	}
	return list
}

func (q *Queue) counter(key string) int {
	r := q.ask("HGET", key, "count")
	n, err := strconv.Atoi(textOf(r))
	if err != nil && q.err == nil {
		q.fail(fmt.Errorf("%s: the counter is no number: %s", key, brief(r)))
	}
	return n
}
