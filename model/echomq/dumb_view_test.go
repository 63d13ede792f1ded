package echomq_test

import (
	"maps"
	"slices"
	"strconv"

	"github.com/ackgap/ackgap/model"
)

// What can be seen of the dumb queue, in the words of the model.

func mustID(s string) model.ID {
	id, err := model.ParseID(s)
	if err != nil {
		panic(err)
	}
	return id
}

func (d *dumb) snapshot() model.Snapshot {
	list := func(set string) []model.Member {
		var members []model.Member
		for _, id := range d.zrange(set) {
			members = append(members, model.Member{ID: mustID(id), Score: d.sets[set][id]})
		}
		return members
	}
	snap := model.Snapshot{
		Pending: list("pending"), Active: list("active"), Schedule: list("schedule"), Dead: list("dead"),
		Paused: d.paused, Completed: d.completed, Failed: d.failed,
	}
	for _, id := range slices.Sorted(maps.Keys(d.rows)) {
		row := model.Row{ID: mustID(id)}
		for _, name := range slices.Sorted(maps.Keys(d.rows[id])) {
			row.Fields = append(row.Fields, model.Field{Name: name, Value: d.rows[id][name]})
		}
		snap.Rows = append(snap.Rows, row)
	}
	return snap
}

// standingIn reads where id stands from a snapshot.
func standingIn(snap model.Snapshot, id model.ID) model.Standing {
	var s model.Standing
	for _, m := range snap.Pending {
		if m.ID == id {
			s.Sets |= model.InPending
		}
	}
	for _, m := range snap.Active {
		if m.ID == id {
			s.Sets, s.Deadline = s.Sets|model.InActive, instant(m.Score)
		}
	}
	for _, m := range snap.Schedule {
		if m.ID == id {
			s.Sets, s.RunAt = s.Sets|model.InSchedule, instant(m.Score)
		}
	}
	for _, m := range snap.Dead {
		if m.ID == id {
			s.Sets |= model.InDead
		}
	}
	for _, f := range fieldsIn(snap, id) {
		switch f.Name {
		case "state":
			s.Fields |= model.HasState
		case "payload":
			s.Fields |= model.HasPayload
		case "attempts":
			n, _ := strconv.Atoi(f.Value)
			s.Fields, s.Attempts = s.Fields|model.HasAttempts, model.Token(n)
		}
	}
	return s
}

func fieldsIn(snap model.Snapshot, id model.ID) []model.Field {
	for _, row := range snap.Rows {
		if row.ID == id {
			return row.Fields
		}
	}
	return nil
}

// touches compares two snapshots id by id, in the order in which the last apply
// wrote to the ids.
func (d *dumb) touches(before, after model.Snapshot) []model.Touch {
	var list []model.Touch
	seen := map[string]bool{}
	for _, name := range d.touched {
		id := mustID(name)
		was, is := standingIn(before, id), standingIn(after, id)
		changed := was != is || !slices.Equal(fieldsIn(before, id), fieldsIn(after, id))
		if changed && !seen[name] {
			list = append(list, model.Touch{ID: id, Before: was, After: is})
		}
		seen[name] = true
	}
	return list
}
