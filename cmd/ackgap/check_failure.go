package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// failing is the first world that broke something unexpectedly.
type failing struct {
	source      source
	campaign    *scenarios.Campaign
	hunt        hunt
	begin, seed uint64 // of the first world of its chunk that is run again, and its own
}

func (f *checkFlags) failing(src source, campaign *scenarios.Campaign, seed uint64) *failing {
	return &failing{src, campaign, f.hunt, f.hunt.begin(f.seed, seed), seed}
}

// world runs it again, behind those that decide what befalls it.
func (f *failing) world(runner *scenarios.Runner) (*scenarios.World, error) {
	next := f.hunt.worlds(f.campaign, runner, f.begin, true)
	for seed := f.begin; ; seed++ {
		if w, err := next(seed); err != nil || seed == f.seed {
			return w, err
		}
	}
}

// showFailure runs the first failing world again, as a story that stands alone. It
// shows the smallest story that fails as it does, and how to see the world as it was
// found, unless standard output is a machine's, and writes the world, not shrunk, to the
// file that --write names.
func (c *checker) showFailure() error {
	f := c.failing
	told, out, err := retell(f)
	if err != nil {
		return err
	}
	title := strings.TrimSpace(fmt.Sprintf("World %d of %s. %s", f.seed, f.source.arg, f.hunt.title()))
	c.failure = reports.Of(out, title, f.hunt.again(f.source.arg, f.begin, f.seed))
	if !c.flags.json && !c.flags.out.takesStdout() {
		err = c.show(told, out)
	}
	return errors.Join(err, writeStory(c.flags.write, told))
}

// show shows the first failure: as small as it gets, or as it was found where it is not
// to be shrunk, cannot be or broke nothing. The error says why it cannot.
func (c *checker) show(told *scenarios.Story, out *scenarios.Outcome) error {
	var small *scenarios.Shrunk
	var failed error
	if !c.flags.noShrink && len(out.Unnamed) > 0 {
		small, failed = told.Shrink(out.Unnamed[0])
	}
	token := scenarios.NewToken(buildID(), out.History.Digest, told)
	b := []byte("\nTHE FIRST FAILURE\n\n")
	if small == nil || failed != nil {
		b = reports.AppendText(b, c.failure, c.style)
		b = append(append(b, "\nAS A STORY\n\n"...), told.Text()...)
		b = append(b, "\nTOKEN  ackgap replay "+token+"\n"...)
	} else {
		b = appendShrunk(b, small, c.failure.Title, "", c.style)
		b = append(b, "\nAS FOUND  "+c.failure.Again+"\nTOKEN     ackgap replay "+token+"\n"...)
		b = append(b, "EXPLAIN   ackgap explain "+c.failing.explained(told, out)+"\n"...)
	}
	_, err := c.streams.out.Write(b)
	return errors.Join(err, failed)
}

// explained names the world for explain: by its seed, or by its token where the seed
// alone does not draw it.
func (f *failing) explained(told *scenarios.Story, out *scenarios.Outcome) string {
	if f.hunt != (hunt{}) {
		return scenarios.NewToken(buildID(), out.History.Digest, told)
	}
	return fmt.Sprintf("%s --seed %d", shellWord(f.source.arg), f.seed)
}

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
