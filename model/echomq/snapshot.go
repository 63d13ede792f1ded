package echomq

import (
	"encoding/binary"
	"strconv"

	"github.com/ackgap/ackgap/model"
)

// Snapshot shows the keyspace: rows by id, their fields by name, members by
// (score, id).
func (q *Queue) Snapshot() model.Snapshot {
	snap := model.Snapshot{
		Pending: q.memberList(pending), Active: q.memberList(active),
		Schedule: q.memberList(schedule), Dead: q.memberList(dead),
		Paused: q.paused, Completed: q.completed, Failed: q.failed,
	}
	for _, e := range q.table.sorted() {
		if e.exists() {
			snap.Rows = append(snap.Rows, model.Row{ID: e.id, Fields: e.row.fields()})
		}
	}
	return snap
}

func (q *Queue) memberList(s set) []model.Member {
	var list []model.Member
	for _, m := range q.sets[s].members() {
		score := int64(0)
		if s == active || s == schedule {
			score = m.score.UnixMillis()
		}
		list = append(list, model.Member{ID: m.id, Score: score})
	}
	return list
}

// fields lists what the row has, by name.
func (r *row) fields() []model.Field {
	all := [...]struct {
		bit   model.Fields
		field model.Field
	}{
		{model.HasAttempts, model.Field{Name: "attempts", Value: strconv.FormatInt(int64(r.attempts), 10)}},
		{hasError, model.Field{Name: "last_error", Value: r.lastError}},
		{model.HasPayload, model.Field{Name: "payload", Value: r.payload}},
		{hasStalled, model.Field{Name: "stalled", Value: strconv.Itoa(r.stalled)}},
		{model.HasState, model.Field{Name: "state", Value: stateNames[r.state]}},
		{hasToken, model.Field{Name: "token", Value: strconv.FormatInt(int64(r.token), 10)}},
	}
	var list []model.Field
	for _, f := range all {
		if r.has&f.bit != 0 {
			list = append(list, f.field)
		}
	}
	return list
}

// AppendState appends all on which later answers depend, and the two counters:
// the entries by id, then the flags, then what a variant keeps besides. Numbers
// are varints and strings carry their length, so that no two states share an
// encoding. Queues of different variants are not told apart.
func (q *Queue) AppendState(b []byte) []byte {
	entries := q.table.sorted()
	b = binary.AppendUvarint(b, uint64(len(entries)))
	for _, e := range entries {
		b = appendID(b, e.id)
		b = appendRow(b, &e.row)
		b = appendPlace(b, &e.place)
	}
	b = append(b, flag(q.paused), flag(q.isHiding))
	b = binary.AppendVarint(b, int64(q.completed))
	b = binary.AppendVarint(b, int64(q.failed))
	b = binary.AppendVarint(b, int64(q.minted))
	for _, kept := range [][]remembered{q.past, q.found} { // no variant has both
		for i := range kept {
			b = appendID(b, kept[i].id)
			b = appendRow(b, &kept[i].row)
		}
	}
	if q.rules.prefetches {
		b = appendGrant(b, &q.buffer)
	}
	return b
}

func appendGrant(b []byte, g *model.Grant) []byte {
	b = binary.AppendVarint(appendID(b, g.ID), int64(g.Token))
	return append(appendString(b, g.Payload), flag(g.Bare))
}

func appendID(b []byte, id model.ID) []byte {
	return binary.BigEndian.AppendUint64(append(b, id.NS[:]...), id.Value)
}

func appendRow(b []byte, r *row) []byte {
	b = append(b, byte(r.has), byte(r.state))
	b = binary.AppendVarint(b, int64(r.attempts))
	b = binary.AppendVarint(b, int64(r.stalled))
	b = binary.AppendVarint(b, int64(r.token))
	b = appendString(b, r.payload)
	return appendString(b, r.lastError)
}

func appendPlace(b []byte, p *place) []byte {
	b = append(b, byte(p.sets)|flag(p.unmarked)<<setCount)
	b = binary.AppendVarint(b, int64(p.scores[active]))
	b = binary.AppendVarint(b, int64(p.scores[schedule]))
	return binary.AppendVarint(b, int64(p.lease))
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func flag(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}
