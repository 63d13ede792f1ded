package eventlog

import (
	"slices"

	"github.com/ackgap/ackgap/model"
)

// kind is one word of the log for what happened: which kind of record of a history
// it is, and the verb and the answer that it has where the line names none. The
// queue's records are split by what they mean for a job, since a log is written by
// people who think of claims and settlements.
type kind struct {
	name   string
	of     model.Kind
	op     model.Op
	answer model.Answer
	is     func(model.Op, model.Answer) bool // of the queue's kinds: whether this one is meant
	rule   string                            // the same in words
}

var kinds = []kind{
	{"enqueued", model.Applied, model.OpEnqueue, model.Enqueued,
		func(op model.Op, _ model.Answer) bool { return op.Admits() }, "op is enqueue, enqueue-at or enqueue-in"},
	{"claimed", model.Applied, model.OpClaim, model.OK,
		func(op model.Op, a model.Answer) bool { return op == model.OpClaim && a == model.OK }, "op is claim and answer ok"},
	{"idle", model.Applied, model.OpClaim, model.Empty,
		func(op model.Op, a model.Answer) bool {
			return op == model.OpClaim && a != model.OK || op == model.OpReadPause
		},
		"op is claim or read-pause, and answer not ok"},
	{"extended", model.Applied, model.OpExtend, model.OK,
		func(op model.Op, a model.Answer) bool { return op == model.OpExtend && a == model.OK }, "op is extend and answer ok"},
	{"settled", model.Applied, model.OpComplete, model.OK,
		func(op model.Op, a model.Answer) bool { return op.Settles() && a.Accepted() && a != model.DeadLettered },
		"op is complete, retry, delay or delay-at, and answer ok or scheduled"},
	{"dead", model.Applied, model.OpRetry, model.DeadLettered,
		func(op model.Op, a model.Answer) bool { return op.Settles() && a == model.DeadLettered },
		"op is complete, retry, delay or delay-at, and answer dead"},
	{"refused", model.Applied, model.OpComplete, model.Stale,
		func(op model.Op, a model.Answer) bool {
			return op.Settles() && !a.Accepted() || op == model.OpExtend && a != model.OK
		},
		"op is a settling verb or extend, and answer none that accepts it (ok, scheduled, dead)"},
	{"reaped", model.Applied, model.OpReap, model.OK,
		func(op model.Op, _ model.Answer) bool { return op == model.OpReap || op == model.OpSweep }, "op is reap or sweep"},
	{"promoted", model.Applied, model.OpPromote, model.OK,
		func(op model.Op, _ model.Answer) bool { return op == model.OpPromote }, "op is promote"},
	{"operated", model.Applied, model.OpRemove, model.OK,
		func(op model.Op, _ model.Answer) bool {
			return op == model.OpRemove || op >= model.OpReprocess || isOther(op)
		},
		"op is remove, reprocess, update-data, pause, resume or drain"},
	{name: "applied", of: model.Effected, op: model.OpApply},
	{name: "admitted", of: model.Admitted, op: model.OpEnqueue, answer: model.Enqueued},
	{name: "absorbed", of: model.Absorbed, op: model.OpApply},
	{name: "checked", of: model.Checked},
	{name: "marked", of: model.Marked},
	{name: "failed", of: model.Failed},
	{name: "sent", of: model.Sent},
	{name: "lost", of: model.Lost},
	{name: "answered", of: model.Answered},
	{name: "timed-out", of: model.TimedOut},
	{name: "crashed", of: model.Crashed},
	{name: "restarted", of: model.Restarted},
	{name: "paused", of: model.Paused},
	{name: "woke", of: model.Woke},
	{name: "stalled", of: model.Stalled},
	{name: "cut", of: model.Cut},
	{name: "healed", of: model.Healed},
	{name: "clock-set", of: model.ClockSet},
	{name: "ended", of: model.Ended},
}

// isOther reports whether op is a verb of the queue without a kind of its own.
func isOther(op model.Op) bool {
	return op == model.OpNone || op == model.OpApply || op == model.OpClaimBatch || op == model.OpExtendBatch
}

// kindSet holds kinds by their place in the table, one bit each.
type kindSet uint32

func (s kindSet) has(k int) bool { return s>>k&1 == 1 }

// setOf returns the set of the kinds with these names, which exist.
func setOf(names ...string) (s kindSet) {
	for _, name := range names {
		s |= 1 << findKind(name)
	}
	return s
}

// words lists the kinds of s, in the order of the table.
func (s kindSet) words() (names []string) {
	for k := range kinds {
		if s.has(k) {
			names = append(names, kinds[k].name)
		}
	}
	return names
}

// findKind returns the place of the kind called name, -1 if there is none.
func findKind(name string) int {
	return slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
}

// claimedKind is the place of claimed.
var claimedKind = findKind("claimed")

// kindOf returns the place of the kind that e is.
func kindOf(e *model.Event) int {
	return slices.IndexFunc(kinds, func(k kind) bool {
		return k.of == e.Kind && (k.is == nil || k.is(e.Op, e.Answer))
	})
}

// kindWords are the names of the kinds.
var kindWords = kindSet(1<<len(kinds) - 1).words()

// vocabulary lists the words of an enumeration: those that its String prints, in
// order from none.
func vocabulary[E ~uint8](word func(E) string) (words []string) {
	for e := E(0); word(e) != "invalid"; e++ {
		words = append(words, word(e))
	}
	return words
}

var (
	opWords     = vocabulary(model.Op.String)
	answerWords = vocabulary(model.Answer.String)
	causeWords  = vocabulary(model.Cause.String)
	stepWords   = vocabulary(model.Step.String)
)
