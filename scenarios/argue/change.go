package argue

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
)

// change is something that might fix a failure: one option, put to one value.
type change struct {
	option, value string
	means         string // what it is, in a few words
	edit          func(*scenarios.Story)
}

func (c *change) text() string { return c.option + "=" + c.value }

// apply returns a copy of s with the changes made. A fault at a step that the new
// consumers take under another name follows it there.
func apply(s *scenarios.Story, changes ...change) *scenarios.Story {
	return edited(s, func(s *scenarios.Story) {
		for i := range changes {
			changes[i].edit(s)
		}
		cast := s.Cast()
		for i := range s.Plan {
			p := &s.Plan[i].Point
			if p.Family == faults.Step {
				p.Step, _ = cast.Step(p.Proc, p.Step)
			}
		}
	})
}

// Changes tells how many single changes Explain tries on the worlds of s.
func Changes(s *scenarios.Story) int { return len(changesOf(s)) }

// changesOf lists what might fix a failure of s, without what s is already: each
// consumer, the other ack, a heartbeat, settlements that are re-sent, enqueues that
// are not, other leases, the queue as built or a sound variant of it, pumps that are off.
func changesOf(s *scenarios.Story) (list []change) {
	if len(s.Workers) > 0 {
		list = append(list, consumers(s)...)
		list = append(list, acks(s)...)
		list = append(list, habits(s)...)
	}
	list = append(list, producers(s)...)
	list = append(list, leaseChanges(s)...)
	list = append(list, variants(s)...)
	return append(list, pumps(s)...)
}

// meanings say what a consumer asks of a user.
var meanings = map[actors.Consumer]string{
	actors.Naive:       "applies, and that is all",
	actors.MarkerFirst: "check, mark, apply",
	actors.MarkerLast:  "check, apply, mark",
	actors.Atomic:      "marker and effect in one transaction",
	actors.Natural:     "the effect is an upsert keyed by the job",
	actors.TTLMarker:   "as atomic, with a marker kept for that long",
	actors.Fenced:      "the store refuses a token below the highest that it saw",
	actors.External:    "a call to an outside service",
	actors.ExternalKey: "a call with a key that the service keeps",
	actors.Scorer:      "EchoMQ's score worker as built",
	actors.ScorerFixed: "EchoMQ's score worker, row keyed by the job",
}

// markerLives are the lives of a marker that are tried.
var markerLives = []time.Duration{5 * time.Minute, 24 * time.Hour}

func consumers(s *scenarios.Story) (list []change) {
	for _, name := range actors.ConsumerNames() {
		c, _ := actors.ParseConsumer(name)
		lives := []time.Duration{0}
		if c == actors.TTLMarker {
			lives = markerLives
		}
		for _, life := range lives {
			value := name
			if life > 0 {
				value += ":" + script.FormatDuration(life)
			}
			list = append(list, workerChange(s, "consumer", value, meanings[c], func(w *scenarios.Worker) {
				w.Consumer, w.MarkerLife = c, life
			})...)
		}
	}
	return list
}

// workerChange is a change of all workers, and none where it changes nothing.
func workerChange(s *scenarios.Story, option, value, means string, edit func(*scenarios.Worker)) []change {
	if !slices.ContainsFunc(s.Workers, func(w scenarios.Worker) bool {
		was := w
		edit(&w)
		return w != was
	}) {
		return nil
	}
	return []change{{option, value, means, func(s *scenarios.Story) {
		for i := range s.Workers {
			edit(&s.Workers[i])
		}
	}}}
}

func acks(s *scenarios.Story) []change {
	return append(
		workerChange(s, "ack", "early", "settle before the work", func(w *scenarios.Worker) { w.EarlyAck = true }),
		workerChange(s, "ack", "late", "settle after the work", func(w *scenarios.Worker) { w.EarlyAck = false })...)
}

// resends is how often a settlement is re-sent where that is tried.
const resends = 3

// habits are what a worker may do about its lease and its settlements.
func habits(s *scenarios.Story) []change {
	beat := max(s.Queue.Lease/3, time.Millisecond).Truncate(time.Millisecond)
	return append(
		workerChange(s, "heartbeat", script.FormatDuration(beat), "extend the lease while at work", func(w *scenarios.Worker) { w.Heartbeat = beat }),
		workerChange(s, "settle-retries", number(resends), "send an unanswered settlement again", func(w *scenarios.Worker) { w.SettleRetries = resends })...)
}

// producers are other ways of a producer with an enqueue that is not answered.
func producers(s *scenarios.Story) (list []change) {
	each := func(option, value, means string, sets func(p scenarios.Producer) bool, edit func(*scenarios.Producer)) {
		if slices.ContainsFunc(s.Producers, sets) {
			list = append(list, change{option, value, means, func(s *scenarios.Story) {
				for i := range s.Producers {
					edit(&s.Producers[i])
				}
			}})
		}
	}
	if len(s.Jobs) == 0 {
		return nil
	}
	each("retries", "0", "no enqueue is sent again", func(p scenarios.Producer) bool { return p.Retries > 0 },
		func(p *scenarios.Producer) { p.Retries = 0 })
	each("fresh-id", "off", "it is sent again under its own id", func(p scenarios.Producer) bool { return p.FreshID },
		func(p *scenarios.Producer) { p.FreshID = false })
	return list
}

// leasesSeen is how many of its leases a story with another lease lasts at least,
// or a longer one would hide behind the end of the run: by default it is 20.
const leasesSeen = 20

func leaseChanges(s *scenarios.Story) (list []change) {
	for _, lease := range []time.Duration{5 * time.Second, time.Minute, 10 * time.Minute} {
		if s.Queue.Lease != lease {
			list = append(list, change{"lease", script.FormatDuration(lease), "every lease is that long", func(s *scenarios.Story) {
				s.Queue.Lease = lease
				s.Horizon = max(s.Horizon, leasesSeen*lease)
			}})
		}
	}
	return list
}

// sound are the variants of a queue that repair something, where it has them, and
// the queue as built.
var sound = []struct{ name, text, means string }{
	{"", "as-built", "the queue without its broken variant"},
	{"hardened", "hardened", "the queue with its oddities put right"},
	{"bounded", "bounded", "the queue gives a job up after three claims"},
}

func variants(s *scenarios.Story) (list []change) {
	body, _ := model.FindBody(s.Queue.Protocol, s.Queue.Backend)
	for _, v := range sound {
		_, known := body.Variant(v.name)
		if v.name != s.Queue.Variant && (known || v.name == "") {
			list = append(list, change{"variant", v.text, v.means, func(s *scenarios.Story) { s.Queue.Variant = v.name }})
		}
	}
	return list
}

// pumps are those that are off and belong to the queue as built.
func pumps(s *scenarios.Story) (list []change) {
	if s.Queue.ReapEvery == 0 {
		list = append(list, change{"reap-every", "1s", "somebody takes lapsed jobs back", func(s *scenarios.Story) { s.Queue.ReapEvery = time.Second }})
	}
	if s.Queue.PromoteEvery == 0 {
		list = append(list, change{"promote-every", "1s", "somebody makes due jobs pending", func(s *scenarios.Story) { s.Queue.PromoteEvery = time.Second }})
	}
	return list
}
