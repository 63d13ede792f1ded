package simtest

import (
	"errors"
	"fmt"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// Found is a random world that broke a promise, and the smallest story that breaks
// the same one.
type Found struct {
	Seed     uint64
	Property string           // the first that broke
	World    *scenarios.Story // the world, with what was drawn as fault lines
	Small    *scenarios.Shrunk
}

// Why says in a sentence what the judge holds against the small story.
func (f *Found) Why() string {
	for _, v := range f.Small.Outcome.Verdicts {
		if v.Property == f.Property {
			return model.Safe(v.Witness.Says)
		}
	}
	return ""
}

// Find runs the random worlds up to the first that fails, and shrinks that. It
// returns nil when all hold. The error is a panic of the handler, a defect of an
// adapter, or a handler that is not deterministic.
func (c *check) Find() (*Found, error) {
	if c.campaign == nil {
		return nil, errNoWorlds
	}
	early := c.begin()
	found, _, err := c.search()
	if found != nil || err != nil {
		return found, err
	}
	if early != nil { // not one of the others came to it
		return nil, early
	}
	return nil, c.checkSteady()
}

var errNoWorlds = errors.New("simtest: the story says `chaos off`: it has no random worlds; use Run, or leave that line out")

// chunk is how many worlds are counted at a time.
const chunk = 50

// search is Find, with what was counted until then.
func (c *check) search() (*Found, *scenarios.Tally, error) {
	total := c.campaign.NewTally()
	c.earliest.chunks = c.earliest.chunks[:0]
	for total.Runs < c.config.runs {
		n, next := min(chunk, c.config.runs-total.Runs), c.config.seed+uint64(total.Runs)
		tally, err := c.count(next, uint64(n), func() bool { seed := next; c.seed = &seed; next++; return c.wrong() != nil })
		c.seed = nil
		total.Add(tally)
		c.earliest.chunks = append(c.earliest.chunks, tally.Digests)
		if err := errors.Join(err, c.wrong()); err != nil {
			return nil, total, err
		}
		for i := range tally.Failures {
			if found, err := c.shrink(&tally.Failures[i]); err != nil || found != nil {
				return found, total, err
			}
		}
	}
	return nil, total, nil
}

// What a handler or a queue is blamed for whose world, run again, is another one.
var (
	errHandlerVaries = errors.New("the handler is not deterministic: something besides its arguments decides what it does (the order of a map, a clock, a generator, memory that outlives the run)")
	errQueueVaries   = errors.New("the queue is not deterministic: something besides its state and the arguments of Apply decides what it does (the order of a map, a clock, a generator, what Reset has left behind)")
)

func (c *check) notDeterministic() error {
	if c.mine.name != "" {
		return errQueueVaries
	}
	return errHandlerVaries
}

// shrink runs a failing world again and makes it small. It returns nil where the
// queue broke a promise of its own.
func (c *check) shrink(f *scenarios.Failure) (*Found, error) {
	world, err := c.runner.World(c.campaign, f.Seed, true)
	if err != nil {
		return nil, err
	}
	if got := world.Outcome.History.Digest; got != f.Digest {
		return nil, fmt.Errorf("%w\n  its world left digest %s and then %s", c.notDeterministic(), f.Digest, got)
	}
	if c.queueBroke(world.Outcome) {
		c.queues++
		return nil, nil
	}
	if err := errors.Join(c.checkOutlives(), c.checkRecount()); err != nil {
		return nil, err
	}
	found := &Found{Seed: f.Seed, Property: f.Properties[0], World: c.campaign.Tell(world)}
	told, err := c.once(found.World) // on a queue that is new, where there was one that was reset
	if err != nil {
		return nil, err
	}
	if got := told.History.Digest; got != f.Digest {
		return nil, fmt.Errorf("%w\n  its world left digest %s, and told as a story %s", c.notDeterministic(), f.Digest, got)
	}
	if found.Small, err = found.World.Shrink(found.Property); err != nil {
		return nil, fmt.Errorf("%s broke and could not be shrunk: %w", found.Property, err)
	}
	return found, nil
}
