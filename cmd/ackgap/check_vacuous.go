package main

import (
	"context"

	"github.com/ackgap/ackgap/scenarios"
)

// vacuous says what the worlds of a story were told to try and never did. What may break
// and did not is sought in as many steered worlds as well, since some of it breaks in one of
// tens of thousands that seeds draw. Where ctx is done before that nothing is said of it.
func (c *checker) vacuous(ctx context.Context, campaign *scenarios.Campaign, total *scenarios.Tally) ([]string, error) {
	rare := total.Unbroken(campaign)
	if len(rare) == 0 || c.flags.steer {
		return total.Vacuous(campaign), nil
	}
	seen := clone(total)
	steered := sweep{campaign: campaign, first: c.flags.seed, runs: uint64(total.Runs), cores: c.flags.cores, hunt: hunt{steer: true}}
	for t, err := range steered.tallies(ctx) {
		if err != nil {
			return nil, err
		}
		for _, i := range rare {
			seen.Properties[i].Broken += t.Properties[i].Broken
		}
		if len(seen.Unbroken(campaign)) == 0 {
			break
		}
	}
	if ctx.Err() != nil {
		for _, i := range rare {
			seen.Properties[i].Broken++ // nobody knows
		}
	}
	return seen.Vacuous(campaign), nil
}
