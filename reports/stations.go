package reports

import "github.com/ackgap/ackgap/model"

// The processes that every story has, by the names that stories reserve for
// them. The pump stands beside the queue and shares its lifeline.
const (
	queueName = "queue"
	pumpName  = "pump"
	storeName = "store"
)

// station is a place where something happens in the diagram: a process by its
// number, or one of the two that are not workers or producers.
type station int16

const (
	nowhere station = 0
	atQueue station = -1
	atStore station = -2
)

// cast knows the part that each process of a history plays.
type cast struct {
	names     *model.Names
	labels    *model.Names // the same, as they are shown
	producers []bool       // by Proc
}

func newCast(h *model.History) cast {
	c := cast{names: &h.Names, labels: labels(&h.Names), producers: make([]bool, len(h.Names.Procs)+1)}
	for i := range h.Events {
		e := &h.Events[i]
		if e.Op.Admits() && e.Proc > model.NoProc && int(e.Proc) < len(c.producers) {
			c.producers[e.Proc] = true
		}
	}
	return c
}

// station returns where p stands.
func (c *cast) station(p model.Proc) station {
	switch {
	case p <= model.NoProc || int(p) >= len(c.names.Procs):
		return nowhere
	case c.names.Procs[p] == queueName, c.isPump(p):
		return atQueue
	case c.names.Procs[p] == storeName:
		return atStore
	}
	return station(p)
}

func (c *cast) isPump(p model.Proc) bool {
	return p > model.NoProc && c.names.Proc(p) == pumpName
}

// title returns what stands above the lifeline of s.
func (c *cast) title(s station) string {
	switch s {
	case atQueue:
		return queueName
	case atStore:
		return storeName
	}
	return c.labels.Proc(model.Proc(s))
}

// order says where s stands from left to right: producers, the queue, workers,
// the store; within a group as the story names them.
func (c *cast) order(s station) int {
	const group = 1 << 16
	switch {
	case s == atQueue:
		return group
	case s == atStore:
		return 3 * group
	case c.producers[s]:
		return int(s)
	}
	return 2*group + int(s)
}
