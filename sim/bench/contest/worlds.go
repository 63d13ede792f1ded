package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

func load(name string) (*scenarios.Campaign, error) {
	story, err := scenarios.Load(name)
	if err != nil {
		return nil, err
	}
	return scenarios.NewCampaign(story)
}

// runWorlds runs random worlds of a story of the catalogue, from seed to verdict.
func runWorlds(name string, numbers []int) error {
	campaign, err := load(name)
	if err != nil {
		return err
	}
	runner, began := scenarios.NewRunner(), clock()
	for seed := range numbers[0] {
		if _, err := runner.World(campaign, uint64(seed), false); err != nil {
			return err
		}
	}
	fmt.Printf("ns %d\nworlds %d\n", clock()-began, numbers[0])
	return nil
}

// chunk is how many worlds a core takes at a time.
const chunk = 250

// runCores runs random worlds on so many cores. Here the time is that of the clock
// on the wall, and that of the processors is told besides: it is what the cores cost
// each other. A core takes a chunk of them at a time, as it does in `ackgap check`.
func runCores(name string, numbers []int) error {
	campaign, err := load(name)
	if err != nil {
		return err
	}
	return onCores(numbers[0], numbers[1], func() func(first, end uint64) error {
		runner := scenarios.NewRunner()
		return func(first, end uint64) error {
			_, err := campaign.Count(runner, first, end-first, nil)
			return err
		}
	})
}

// runArithmetic is runCores of work that needs no memory at all: what cores add up to here.
func runArithmetic(_ string, numbers []int) error {
	return onCores(numbers[0], numbers[1], func() func(first, end uint64) error {
		var h hold
		return func(first, end uint64) error {
			for range (end - first) * 10_000 {
				h.draw()
			}
			return nil
		}
	})
}

// onCores lets each core do chunks of the work as begin says.
func onCores(worlds, cores int, begin func() func(first, end uint64) error) error {
	failed := make([]error, cores)
	began, used := time.Now(), clock()
	var all sync.WaitGroup
	var taken atomic.Uint64
	for core := range cores {
		all.Go(func() {
			work := begin()
			for failed[core] == nil {
				first := taken.Add(chunk) - chunk
				if first >= uint64(worlds) {
					return
				}
				failed[core] = work(first, min(first+chunk, uint64(worlds)))
			}
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	fmt.Printf("ns %d\ncpu %d\nworlds %d\n", time.Since(began), clock()-used, worlds)
	return nil
}

// runFind runs random worlds until so many have broken a promise: how many worlds
// and how long it is to one.
func runFind(name string, numbers []int) error {
	campaign, err := load(name)
	if err != nil {
		return err
	}
	began := clock()
	worlds, err := failing(campaign, numbers[0], func(*scenarios.World, string) error { return nil })
	if err != nil {
		return err
	}
	fmt.Printf("ns %d\nworlds %d\nfinds %d\n", clock()-began, worlds, numbers[0])
	return nil
}

// runShrink shrinks so many failing worlds. The time is the median of one, and so
// is the count of runs that it took.
func runShrink(name string, numbers []int) error {
	campaign, err := load(name)
	if err != nil {
		return err
	}
	var took, runs []int
	_, err = failing(campaign, numbers[0], func(w *scenarios.World, property string) error {
		told := campaign.Tell(w)
		began := clock()
		small, err := told.Shrink(property)
		if err == nil {
			took, runs = append(took, int(clock()-began)), append(runs, small.Runs)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(took)
	slices.Sort(runs)
	fmt.Printf("ns %d\nruns %d\n", took[len(took)/2], runs[len(runs)/2])
	return nil
}

// failing hands so many worlds that break a promise to each, and returns how many
// were run to find them.
func failing(c *scenarios.Campaign, wanted int, each func(*scenarios.World, string) error) (worlds uint64, err error) {
	runner := scenarios.NewRunner()
	for found := 0; found < wanted; worlds++ {
		w, err := runner.World(c, worlds, false)
		if err != nil {
			return worlds, err
		}
		if property := broken(w.Outcome); property != "" {
			found++
			if err := each(w, property); err != nil {
				return worlds, err
			}
		}
	}
	return worlds, nil
}

// broken names the first property that a world must hold and breaks, if any.
func broken(out *scenarios.Outcome) string {
	for _, v := range out.Verdicts {
		if v.Value == model.Broken && out.IsDefault(v.Property) {
			return v.Property
		}
	}
	return ""
}
