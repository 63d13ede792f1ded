package actors

import (
	"slices"

	"github.com/ackgap/ackgap/model"
)

// Consumer is what a worker does with a job: a program of atomic steps between
// which it can crash or stand still.
type Consumer uint8

// The consumers. reports/docs/stories.md says what each step does.
const (
	Naive       Consumer = iota // applies, and that is all
	MarkerFirst                 // check, mark, apply: a crash between loses the work
	MarkerLast                  // check, apply, mark: a crash between doubles it
	Atomic                      // check, then marker and effect in one transaction
	Natural                     // an upsert keyed by the job
	TTLMarker                   // Atomic whose marker is forgotten after a time
	Fenced                      // applies with the token; the store refuses a lower one than it saw
	External                    // a call to an outside service
	ExternalKey                 // a call with a key that the service dedupes by
	Scorer                      // the codemojex score worker as built; its effect is StepInsert
	ScorerFixed                 // the same with its faults repaired
	Handled                     // Go code of somebody's own, whose calls to the outside are its steps
	consumerCount
)

// consumers is the table of them: the word that stories write, and the steps
// between claim and settle. Where one step has a second name it stands as also.
var consumers = [consumerCount]struct {
	name  string
	steps []model.Step
	also  model.Step // another name for StepApply; NoStep for none
}{
	Naive:       {name: "naive", steps: apply},
	MarkerFirst: {name: "marker-first", steps: []model.Step{model.StepCheck, model.StepMark, model.StepApply}},
	MarkerLast:  {name: "marker-last", steps: []model.Step{model.StepCheck, model.StepApply, model.StepMark}},
	Atomic:      {name: "atomic", steps: transaction, also: model.StepMark},
	Natural:     {name: "natural", steps: apply},
	TTLMarker:   {name: "ttl-marker", steps: transaction, also: model.StepMark},
	Fenced:      {name: "fenced", steps: apply},
	External:    {name: "external", steps: apply},
	ExternalKey: {name: "external-key", steps: apply},
	Scorer:      {name: "scorer", steps: score},
	ScorerFixed: {name: "scorer-fixed", steps: score},
	Handled:     {name: "handler", steps: apply},
}

var (
	apply       = []model.Step{model.StepApply}
	transaction = []model.Step{model.StepCheck, model.StepApply}
	calls       = []model.Step{model.StepRead, model.StepWrite, model.StepApply, model.StepCommit, model.StepSleep}
	score       = []model.Step{
		model.StepRead, model.StepInsert, model.StepCount, model.StepBoard,
		model.StepPublish, model.StepClose, model.StepPay,
	}
)

// String returns the consumer as stories write it, without the time of a
// ttl-marker.
func (c Consumer) String() string {
	if c >= consumerCount {
		return "invalid"
	}
	return consumers[c].name
}

// ParseConsumer returns the consumer that name writes.
func ParseConsumer(name string) (Consumer, bool) {
	if name == consumers[Handled].name {
		return Handled, true
	}
	i := slices.Index(ConsumerNames(), name)
	return Consumer(max(i, 0)), i >= 0
}

// ConsumerNames returns the words for the consumers that are built in, in their
// order: all but Handled, which is not without somebody's code.
func ConsumerNames() []string {
	names := make([]string, Handled)
	for c := range names {
		names[c] = consumers[c].name
	}
	return names
}

// Program returns the steps of c between claim and settle, in order. It is
// shared: do not change it. Of a handler nobody knows them beforehand, and the
// effect stands for all.
func (c Consumer) Program() []model.Step { return consumers[c].steps }

// Effect returns the step at which c changes the outside ledger.
func (c Consumer) Effect() model.Step {
	if c == Scorer || c == ScorerFixed {
		return model.StepInsert
	}
	return model.StepApply
}

// Steps returns the steps that a worker with c takes, in order, from StepClaim
// to StepSettle. A transaction that marks and applies is one step, StepApply. A
// handler takes any of its steps, as often and in the order that it likes.
// (With early ack the worker settles first; the steps are the same.)
func (c Consumer) Steps() []model.Step {
	if c == Handled {
		return slices.Concat([]model.Step{model.StepClaim}, calls, []model.Step{model.StepSettle})
	}
	return slices.Concat([]model.Step{model.StepClaim}, c.Program(), []model.Step{model.StepSettle})
}

// Step returns the step of c that goes by the name s, which for Atomic and
// TTLMarker makes StepApply of StepMark. ok is false when c has no such step.
func (c Consumer) Step(s model.Step) (step model.Step, ok bool) {
	if s != model.NoStep && s == consumers[c].also {
		return model.StepApply, true
	}
	return s, slices.Contains(c.Steps(), s)
}

// Calls reports whether the effect of c is a call to an outside service, whose
// request and reply can be lost on their own.
func (c Consumer) Calls() bool { return c == External || c == ExternalKey || c == Handled }
