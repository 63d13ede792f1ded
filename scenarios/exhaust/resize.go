package exhaust

import (
	"fmt"
	"slices"

	"github.com/ackgap/ackgap/scenarios"
)

// Resize returns the story with so many jobs and workers: the first ones of those
// that it has, then more like the last one. A number below 0 leaves what there is.
// What the story says will go wrong, and what it expects, goes.
func Resize(s *scenarios.Story, jobs, workers int) (*scenarios.Story, error) {
	r := *s
	r.Plan, r.Dos, r.Expects, r.Spoken, r.Speakers = nil, nil, nil, nil, nil
	r.Chaos, r.MayBreak, r.Quiet, r.NoChaos = nil, nil, 0, true
	r.HasHistory, r.History = false, ""
	if jobs > MaxJobs || workers > MaxWorkers {
		return nil, fmt.Errorf("%s: up to %d jobs and %d workers can be explored", s.File, MaxJobs, MaxWorkers)
	}
	if jobs > 0 && len(s.Jobs) == 0 || workers > 0 && len(s.Workers) == 0 {
		return nil, fmt.Errorf("%s: it has no job line, or no worker line, to make more of", s.File)
	}
	if jobs >= 0 {
		r.Jobs = grow(s.Jobs, jobs, func(j *scenarios.Job, name string) { j.Name, j.Line = name, 0 }, "J")
	}
	if workers >= 0 {
		r.Workers = grow(s.Workers, workers, func(w *scenarios.Worker, name string) { w.Name, w.Line = name, 0 }, "w")
	}
	again, err := scenarios.Parse(s.File, r.Text())
	if err != nil {
		return nil, fmt.Errorf("with %d jobs and %d workers it is no story: %w", len(r.Jobs), len(r.Workers), err)
	}
	return again, nil
}

// grow returns the first n parts of list, and after its end more like the last.
func grow[T any](list []T, n int, rename func(*T, string), prefix string) []T {
	list = slices.Clone(list[:min(n, len(list))])
	for len(list) < n {
		more := list[len(list)-1]
		rename(&more, fmt.Sprintf("%s%d", prefix, len(list)+1))
		list = append(list, more)
	}
	return list
}
