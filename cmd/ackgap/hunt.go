package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/coverage"
)

// hunt is how the random worlds of a campaign are drawn: by their seeds, by aim and by what
// befell those before them, or by a few points that are picked beforehand. See
// reports/docs/mutants.md for where each is the best.
type hunt struct{ steer, priorities bool }

// flags defines the two flags of a hunt.
func (h *hunt) flags(c *cobra.Command, steer string) {
	c.Flags().BoolVar(&h.steer, "steer", false, steer)
	c.Flags().BoolVar(&h.priorities, "priorities", false, "let each seed pick a few points and strike there, whatever the rates")
}

// refused is the error of a hunt by two adversaries.
func (h *hunt) refused(verb string) error {
	if h.steer && h.priorities {
		return errors.New(verb + ": --steer and --priorities are two adversaries; leave one out")
	}
	return nil
}

// drawn names the hunt as documents do; it is empty where the worlds are those of their seeds.
func (h *hunt) drawn() string {
	switch {
	case h.steer:
		return "steered"
	case h.priorities:
		return "priorities"
	}
	return ""
}

// title says of a world in a sentence how it was drawn, where its seed alone does not.
func (h *hunt) title() string {
	switch {
	case h.steer:
		return "Steered: it was struck besides, by aim or as an earlier one was."
	case h.priorities:
		return "By priorities: its seed picked where to strike."
	}
	return ""
}

// worlds returns what runs the worlds of seed after seed from first on, which begins a chunk.
// Keep says whether histories are kept; a steered hunt keeps them anyway, and learns from them.
func (h *hunt) worlds(c *scenarios.Campaign, r *scenarios.Runner, first uint64, keep bool) func(seed uint64) (*scenarios.World, error) {
	switch {
	case h.steer:
		return coverage.SteerInChunks(c, r, first)
	case h.priorities:
		return func(seed uint64) (*scenarios.World, error) { return r.PrioritisedWorld(c, seed, keep) }
	}
	return func(seed uint64) (*scenarios.World, error) { return r.World(c, seed, keep) }
}

// begin returns the seed from which on a chunk of a check that began with first must be
// run so that the world of seed is the same again: those before it decide where a hunt is
// steered.
func (h *hunt) begin(first, seed uint64) uint64 {
	if h.steer {
		return seed - (seed-first)%chunk
	}
	return seed
}

// again returns the command that runs the world of seed once more, as the last of those of
// its chunk from begin on.
func (h *hunt) again(src *source, begin, seed uint64) string {
	if *h == (hunt{}) {
		return fmt.Sprintf("ackgap run %s --seed %d", shellWord(src.arg), seed)
	}
	return fmt.Sprintf("%s --seed %d --runs %d", h.check(src), begin, seed-begin+1)
}

// check returns the command that checks a story with this hunt.
func (h *hunt) check(src *source) string {
	words := "ackgap check " + shellWord(src.arg)
	switch {
	case h.steer:
		words += " --steer"
	case h.priorities:
		words += " --priorities"
	}
	if src.isInput() {
		words += " < STORY"
	}
	return words
}
