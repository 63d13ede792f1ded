package scenarios

import (
	"slices"
	"time"

	"github.com/ackgap/ackgap/faults"
)

// ShrinkWithin is Shrink with another limit than MaxTrials.
var ShrinkWithin = (*Story).shrinkWithin

// Rounder lists the durations that are tried in the place of d.
func Rounder(d time.Duration) []time.Duration { return rounder(d) }

// BegunAtOnce is s when all in it happens earlier, from 0 on.
func BegunAtOnce(s *Story) *Story { return candidate{story: s}.edited((*Story).beginAtOnce).story }

// WeakerThanFirst lists s with each fault that is tried in the place of its first.
func WeakerThanFirst(s *Story) (list []*Story) {
	k := &shrinker{runner: NewRunner(), maxSteps: MaxSteps, best: candidate{story: s}}
	k.trials.Limit = MaxTrials
	for _, e := range k.weaker(s.Plan[0]) {
		part := *s
		part.Plan = slices.Concat(faults.Plan{e}, s.Plan[1:])
		list = append(list, &part)
	}
	return list
}
