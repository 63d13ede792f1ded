package sqlqueue

import (
	"strings"

	"github.com/ackgap/ackgap/model"
)

// Faults are three ways in which queues on SQL go wrong. The zero value has none.
type Faults struct {
	// SettlesByID leaves the token out of the WHERE: who comes late settles the
	// delivery of somebody else (asynq, Oban, River and others).
	SettlesByID bool
	// ScansThenApplies reaps in two transactions: a SELECT finds the leases that
	// have lapsed, and an UPDATE by their ids, at the next tick, takes back what by
	// then may be somebody else's.
	ScansThenApplies bool
	// ClientClock lets the client reckon, by its own clock, until when its lease
	// runs, and whose has lapsed.
	ClientClock bool
}

// in returns the statement as the fault has it.
func (f Faults) in(op model.Op, text string) string {
	if f.SettlesByID && (op.Settles() || op == model.OpExtend) {
		return strings.Replace(text, ` AND token = :token`, ``, 1)
	}
	return text
}

// reapInTwo takes back what the last scan has found, and scans.
func (q *Queue) reapInTwo(now model.Time) model.Reply {
	var moved []row
	if len(q.scanned) > 0 {
		moved = q.changed(q.db.Query(`UPDATE jobs SET state = 'pending' WHERE state = 'active'
			AND id IN ('` + strings.Join(q.scanned, `','`) + `')` + returning))
	}
	q.scanned = q.scan(now)
	return model.Reply{Answer: model.OK, Moved: len(moved)}
}

// scan returns the ids of the jobs whose leases have lapsed.
func (q *Queue) scan(now model.Time) (lapsed []string) {
	rows, err := q.db.Query(`SELECT id FROM jobs WHERE state = 'active' AND deadline <= ?`, int64(now))
	if err != nil {
		q.err = err
		return nil
	}
	defer func() { _ = rows.Close() }() // Err has told
	for rows.Next() && q.err == nil {
		var id string
		q.err = rows.Scan(&id)
		lapsed = append(lapsed, id)
	}
	if q.err == nil {
		q.err = rows.Err()
	}
	return lapsed
}
