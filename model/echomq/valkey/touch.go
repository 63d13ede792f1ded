package valkey

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/ackgap/ackgap/model"
)

// rowFields are the fields that a row can have, in the order in which look
// asks for them.
var rowFields = [...]string{"attempts", "last_error", "payload", "stalled", "state", "token"}

// inStanding says which of them model.Standing shows.
var inStanding = [len(rowFields)]model.Fields{0: model.HasAttempts, 2: model.HasPayload, 4: model.HasState}

// seen is one id as it was last looked at: its row, and where it stands. It
// is compared by ==.
type seen struct {
	has    [len(rowFields)]bool
	fields [len(rowFields)]string
	sets   model.Sets
	scores [4]int64 // Unix milliseconds; 0 where it is no member
}

// lookSize is how many commands a look is.
const lookSize = 1 + 4

// look adds to the exchange what tells where id stands.
func (q *Queue) look(id model.ID) {
	member := id.String()
	q.conn.add(append([]string{"HMGET", q.keys.rows + member}, rowFields[:]...)...)
	for _, set := range q.keys.sets {
		q.conn.add("ZSCORE", set, member)
	}
}

// lookAt looks at each of ids, and notes what has changed since the last time.
func (q *Queue) lookAt(ids []model.ID) {
	if q.isBlind || q.err != nil {
		return
	}
	for some := range slices.Chunk(ids, 1000) { // a server answers before it was told all
		for _, id := range some {
			q.look(id)
		}
		replies, err := q.conn.do()
		if err != nil {
			q.fail(fmt.Errorf("looking at what changed: %w", err))
			return
		}
		for i, id := range some {
			q.compare(id, replies[i*lookSize:][:lookSize])
		}
	}
}

// compare reads a look at id, and notes the touch if the id stands otherwise
// than before. Nobody else writes in this keyspace, so that what was last seen
// is what stood before the request.
func (q *Queue) compare(id model.ID, replies []any) {
	now, err := readLook(replies)
	if err != nil {
		q.fail(fmt.Errorf("looking at %s: %w", id, err))
		return
	}
	was := q.seen[id]
	if now == was {
		return
	}
	q.touched = append(q.touched, model.Touch{ID: id, Before: was.standing(), After: now.standing()})
	if now == (seen{}) {
		delete(q.seen, id)
	} else {
		q.seen[id] = now
	}
}

func readLook(replies []any) (seen, error) {
	var s seen
	row := itemsOf(replies[0])
	if len(row) != len(rowFields) {
		return s, fmt.Errorf("HMGET: %s", brief(replies[0]))
	}
	for i, f := range row {
		s.fields[i], s.has[i] = f.(string)
	}
	for i, r := range replies[1:] {
		if r == nil {
			continue
		}
		score, err := readScore(r)
		if err != nil {
			return s, err
		}
		s.sets |= 1 << i
		s.scores[i] = score
	}
	return s, nil
}

// readScore reads a score, which is a whole number in every set of a queue.
func readScore(r any) (int64, error) {
	n, err := strconv.ParseInt(textOf(r), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the score is no whole number: %s", brief(r))
	}
	return n, nil
}

func (s *seen) standing() model.Standing {
	st := model.Standing{Sets: s.sets}
	for i, f := range inStanding {
		if s.has[i] {
			st.Fields |= f
		}
	}
	n, _ := strconv.ParseInt(s.fields[0], 10, 64) // HINCRBY refuses what is no number before we do
	st.Attempts = model.Token(n)
	if s.sets&model.InActive != 0 {
		st.Deadline = instant(s.scores[active])
	}
	if s.sets&model.InSchedule != 0 {
		st.RunAt = instant(s.scores[schedule])
	}
	return st
}

// instant is a score as virtual time.
func instant(unixMillis int64) model.Time {
	return model.Time(unixMillis-model.EpochMillis) * model.Time(time.Millisecond)
}

// moved returns the ids that a request about no single job can have changed, in
// the order in which its script takes them.
func (q *Queue) moved(now model.Time, req *model.Request, rep *model.Reply) []model.ID {
	until := now.UnixMillis()
	switch req.Op {
	case model.OpClaim:
		if rep.Answer == model.OK {
			return []model.ID{rep.ID}
		}
	case model.OpClaimBatch:
		ids := make([]model.ID, len(rep.Batch))
		for i, g := range rep.Batch {
			ids[i] = g.ID
		}
		return ids
	case model.OpPromote:
		return q.members(schedule, until, rep.Moved)
	case model.OpReap, model.OpSweep:
		return q.members(active, until, rep.Moved+rep.Dead)
	case model.OpDrain:
		ids := q.members(pending, 0, rep.Moved)
		if req.All {
			ids = append(ids, q.butPending(q.members(schedule, math.MaxInt64, rep.Moved))...)
		}
		return ids
	}
	return nil
}

// members returns the ids last seen in set with a score of at most until, by
// (score, id); none if the request moved none.
func (q *Queue) members(set int, until int64, moved int) []model.ID {
	if moved == 0 {
		return nil
	}
	var ids []model.ID
	for id, s := range q.seen {
		if s.sets&(1<<set) != 0 && s.scores[set] <= until {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b model.ID) int {
		return cmp.Or(cmp.Compare(q.seen[a].scores[set], q.seen[b].scores[set]), a.Compare(b))
	})
	return ids
}

// butPending returns the ids that are not in pending too.
func (q *Queue) butPending(ids []model.ID) []model.ID {
	return slices.DeleteFunc(ids, func(id model.ID) bool { return q.seen[id].sets&model.InPending != 0 })
}
