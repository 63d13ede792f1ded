package simtest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// earliest is the run that was made before all others. If the same one leaves another
// history later, something of the handler or the queue outlives the worlds.
type earliest struct {
	digest model.Digest
	again  func() (*scenarios.Outcome, error) // nil: there was none yet
	spoken bool                               // it was held against a later run, whatever came of it
	chunks []model.Digest                     // of the random worlds of the last search, chunk by chunk
}

// remember takes note of a run, if it is the first.
func (c *check) remember(out *scenarios.Outcome, again func() (*scenarios.Outcome, error)) {
	if c.earliest.again == nil {
		c.earliest.digest, c.earliest.again = out.History.Digest, again
	}
}

// begin runs the world with one fault before anything else is run. What is wrong in it
// is only returned: the others tell it with their seed.
func (c *check) begin() error {
	if c.earliest.again != nil {
		return nil
	}
	_, err := c.first()
	c.forgive()
	return err
}

// forgive forgets what was wrong in an earlier run.
func (c *check) forgive() {
	c.mine.mu.Lock()
	c.mine.last, c.mine.lost = nil, nil
	c.mine.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.opened {
		o.wrong = o.broken
	}
}

// first is the world whose first job is delivered again.
func (c *check) first() (*scenarios.Outcome, error) {
	var faults []string
	if len(c.story.Jobs) > 0 {
		faults = []string{"drop complete " + c.story.Jobs[0].Name + "#1"}
	}
	return c.run("fault? ", faults)
}

// checkOutlives returns an error if something of the handler or the queue outlives a
// world: then what breaks in a later one may be right in a process that is new.
func (c *check) checkOutlives() error {
	if c.earliest.again == nil {
		return nil
	}
	c.earliest.spoken = true
	out, err := c.earliest.again()
	if err != nil || out.History.Digest == c.earliest.digest {
		return err
	}
	return fmt.Errorf("%w\n  the first world left digest %s, and the same one, run again after others, %s: something that was made before it is remembered in the next (a map that a function closes over, a variable of a package); %s",
		c.notDeterministic(), c.earliest.digest, out.History.Digest, c.wayOut())
}

// maxRecount is how many chunks are run again when a world has failed.
const maxRecount = 20

// checkRecount runs the first random worlds again, after the one that failed, and returns an
// error if they leave other histories by now: then that world may fail for what went on
// before it alone, and its story would fail in no other process.
func (c *check) checkRecount() error {
	for i, before := range c.earliest.chunks[:min(len(c.earliest.chunks), maxRecount)] {
		first, n := c.config.seed+uint64(i*chunk), min(chunk, c.config.runs-i*chunk)
		tally, err := c.count(first, uint64(n), func() bool { return c.wrong() != nil })
		if err != nil || c.wrong() != nil {
			return errors.Join(err, c.wrong())
		}
		if tally.Digests != before {
			return fmt.Errorf("%w\n  a world failed, but the worlds of seeds %d to %d leave other histories when they are run again after it: %s, so that its story would fail in no other process; %s",
				c.notDeterministic(), first, first+uint64(n)-1, c.whatRemembers(), c.wayOut())
		}
	}
	return nil
}

func (c *check) whatRemembers() string {
	if c.mine.name != "" {
		return "the queue remembers something from an earlier world"
	}
	return "the consumer remembers something from an earlier world"
}

// wayOut is the way out.
func (c *check) wayOut() string {
	if c.mine.name != "" {
		return "let newQueue return a queue that shares nothing, and Reset forget everything"
	}
	return "make what it remembers in the function of PerProcess, or keep it in Job.KV; a Resource forgets everything in its Reset"
}

// checkSteady is checkOutlives, and holds besides the first random world, run after all others and
// on a queue that was emptied for each, against the same one on a queue that is new.
func (c *check) checkSteady() error {
	if err := c.checkOutlives(); err != nil {
		return err
	}
	world, err := c.runner.World(c.campaign, c.config.seed, true)
	if err != nil {
		return err
	}
	digest := world.Outcome.History.Digest
	told, err := c.once(c.campaign.Tell(world))
	if err != nil || told.History.Digest == digest {
		return err
	}
	return fmt.Errorf("%w\n  the world of seed %d left digest %s after others, and %s by itself", c.notDeterministic(), c.config.seed, digest, told.History.Digest)
}

// blameMemory ends the test if something outlives a world.
func (c *check) blameMemory(t testing.TB) {
	t.Helper()
	if err := c.checkOutlives(); err != nil {
		c.fatalf(t, "%s: %v", c.name, err)
	}
}

// atEnd fails a test that has run worlds one by one and has not failed, if something
// checkOutlives them.
func (c *check) atEnd(t testing.TB) {
	if t.Failed() || c.earliest.spoken {
		return
	}
	if err := c.checkOutlives(); errors.Is(err, c.notDeterministic()) {
		t.Errorf("%s: %v", c.name, err)
	}
}
