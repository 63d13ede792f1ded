package valkey

import (
	"slices"
	"strconv"

	"github.com/ackgap/ackgap/model"
)

// extendBatch extends each pair. The wire answers the refused ids only, which do
// not tell two pairs of one id apart: such pairs go in calls of their own, under
// the same reading of the clock.
func (q *Queue) extendBatch(now model.Time, req *model.Request) model.Reply {
	refused := make([]bool, len(req.Batch))
	for from := 0; ; {
		round := nextRound(req.Batch, from)
		if !q.extendRound(now, req, req.Batch[from:from+round], refused[from:]) {
			return model.Reply{Answer: model.OK}
		}
		if from += round; from == len(req.Batch) {
			break
		}
	}
	rep := model.Reply{Answer: model.OK}
	var extended []model.ID
	for i, h := range req.Batch {
		if refused[i] {
			rep.Batch = append(rep.Batch, model.Grant{Holding: h})
		} else if !slices.Contains(extended, h.ID) {
			extended = append(extended, h.ID)
		}
	}
	q.lookAt(extended)
	return rep
}

// nextRound returns how many pairs from that one on name each id once.
func nextRound(pairs []model.Holding, from int) int {
	named := map[model.ID]bool{}
	n := 0
	for _, h := range pairs[from:] {
		if named[h.ID] {
			break
		}
		named[h.ID] = true
		n++
	}
	return n
}

// extendRound extends pairs in one call and marks those that are refused. It
// reports whether the server answered in kind.
func (q *Queue) extendRound(now model.Time, req *model.Request, pairs []model.Holding, refused []bool) bool {
	args := []string{"2", q.keys.sets[active], q.keys.rows, millis(req.Lease)}
	for _, h := range pairs {
		args = append(args, h.ID.String(), strconv.FormatInt(int64(h.Token), 10))
	}
	r, _ := q.run(now, req.Op, args, model.ID{})
	if q.err != nil {
		return false
	}
	ids := itemsOf(r)
	for i, h := range pairs {
		if len(ids) > 0 && textOf(ids[0]) == h.ID.String() {
			refused[i], ids = true, ids[1:]
		}
	}
	if _, isList := r.([]any); !isList || len(ids) > 0 {
		q.fail(surprise(req.Op, r))
	}
	return q.err == nil
}
