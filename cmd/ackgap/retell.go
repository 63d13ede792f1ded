package main

import (
	"fmt"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// retell runs one random world, tells it as a story and runs that, which must
// leave the same history: the error is a *scenarios.Diverged where it does not.
// It is judged as the world is.
func retell(f *failing) (*scenarios.Story, *scenarios.Outcome, error) {
	runner := scenarios.NewRunner()
	defer func() { _ = runner.Close() }() // what was found stands
	world, err := f.world(runner)
	if err != nil {
		return nil, nil, err
	}
	told := f.campaign.Tell(world)
	out, err := told.Run(scenarios.Options{})
	if err != nil {
		return nil, nil, err
	}
	if err := scenarios.Same(world.Outcome.History, out.History); err != nil {
		return nil, nil, err
	}
	out.Met, out.Unnamed, out.Open = world.Outcome.Met, world.Unexpected, world.Open
	return told, out, nil
}

// retellOf is retell of a story's own random worlds.
func retellOf(story *scenarios.Story, seed uint64) (*scenarios.Story, *scenarios.Outcome, error) {
	campaign, err := scenarios.NewCampaign(story)
	if err != nil {
		return nil, nil, err
	}
	if campaign == nil {
		return nil, nil, fmt.Errorf("%s says `chaos off`: it has no random worlds", script.Quote(story.File))
	}
	return retell(&failing{campaign: campaign, begin: seed, seed: seed})
}

// seedWorld shows the random world of one seed: `ackgap run --seed`.
func (s *streams) seedWorld(f *runFlags, style reports.Style, src source, story *scenarios.Story) (int, error) {
	told, out, err := retellOf(story, f.seed)
	if err != nil {
		return exitUsage, err
	}
	if f.asStory {
		_, err = s.out.Write(told.Text())
		return exitOf(out.Met), err
	}
	return exitOf(out.Met), s.show(f, style, src, out, false, 0)
}
