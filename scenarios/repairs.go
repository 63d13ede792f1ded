package scenarios

import (
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// A repair is what a story adds to a world so that it gets over a fault: a pump, a
// heartbeat, a second try, a marker. One that changed nothing in any world of a campaign
// was not tried, whatever the verdict of the worlds is.
type repair uint8

const (
	repairByReap repair = iota
	repairByPromote
	repairBySweep
	repairByHeartbeat
	repairByEnqueue
	repairBySettlement
	repairByMarker
	repairByUpsert
	repairByFence
	repairByKey
	repairCount
)

// idleRepairs is what is said of a repair that changed nothing.
var idleRepairs = [repairCount]string{
	repairByReap:       "reap-every is set, and no reap ever took a job back",
	repairByPromote:    "promote-every is set, and no promotion ever moved a job",
	repairBySweep:      "sweep-every is set, and no sweep ever moved or buried a job",
	repairByHeartbeat:  "heartbeat is set, and no lease was ever extended",
	repairByEnqueue:    "retries is set, and no enqueue that was sent again ever let a job in",
	repairBySettlement: "settle-retries is set, and no settlement that was sent again was ever accepted",
	repairByMarker:     "a consumer looks for markers, and never found one",
	repairByUpsert:     "a consumer upserts, and its row was never there already",
	repairByFence:      "a consumer is fenced, and no token was ever refused",
	repairByKey:        "a consumer gives a key, and the service never knew it already",
}

// absorbing are the repairs by what a consumer that changed nothing found.
var absorbing = map[model.Cause]repair{
	model.ByMarker: repairByMarker, model.ByUpsert: repairByUpsert, model.ByFence: repairByFence, model.ByKey: repairByKey,
}

// repairs is a set of them.
type repairs uint16

func (r repairs) has(one repair) bool { return r>>one&1 != 0 }

// add enters one of them if it is there.
func (r *repairs) add(one repair, there bool) {
	if there {
		*r |= 1 << one
	}
}

// see enters the repair that e shows to have changed something.
func (r *repairs) see(e *model.Event) {
	switch e.Kind {
	case model.Applied:
		r.apply(e)
	case model.Checked:
		r.add(repairByMarker, e.Has(model.IsFound))
	case model.Absorbed:
		one, ok := absorbing[e.Cause]
		r.add(one, ok)
	}
}

func (r *repairs) apply(e *model.Event) {
	switch e.Op {
	case model.OpReap:
		r.add(repairByReap, e.Moved > 0)
	case model.OpPromote:
		r.add(repairByPromote, e.Moved > 0)
	case model.OpSweep:
		r.add(repairBySweep, e.Moved > 0 || e.Dead > 0)
	case model.OpExtend:
		r.add(repairByHeartbeat, e.Answer == model.OK)
	case model.OpEnqueue:
		r.add(repairByEnqueue, e.Nth > 1 && (e.Answer == model.Enqueued || e.Answer == model.Scheduled))
	case model.OpComplete, model.OpRetry:
		r.add(repairBySettlement, e.Nth > 1 && e.Answer.Accepted())
	}
}

// repairs are those that have to show in the random worlds of s what they are good for:
// all that it asks for, and none that is there by default. A story in whose worlds something may
// break is not about what mends them: there that has to break, or else it is vacuous.
func (s *Story) repairs() (all repairs) {
	if len(s.MayBreak) > 0 {
		return 0
	}
	q := &s.Queue
	all.add(repairByReap, q.ReapEvery > 0 && q.ReapEvery != defaultQueue.ReapEvery)
	all.add(repairByPromote, q.PromoteEvery > 0 && q.PromoteEvery != defaultQueue.PromoteEvery)
	all.add(repairBySweep, q.SweepEvery > 0)
	for i := range s.Producers {
		n := s.Producers[i].Retries
		all.add(repairByEnqueue, n > 0 && n != defaultProducer.Retries)
	}
	for i := range s.Workers {
		w := &s.Workers[i]
		all.add(repairByHeartbeat, w.Heartbeat > 0)
		all.add(repairBySettlement, w.SettleRetries > 0)
		all.add(repairByMarker, slices.Contains(w.Consumer.Steps(), model.StepCheck))
		all.add(repairByUpsert, w.Consumer == actors.Natural)
		all.add(repairByFence, w.Consumer == actors.Fenced)
		all.add(repairByKey, w.Consumer == actors.ExternalKey)
	}
	return all
}
