package lessons

import (
	"strconv"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios"
)

// worlds is how many random worlds of the haystack are run.
const worlds = 200

// searched is what came of them: how many broke, the first of them told as a story,
// and what it shrinks to.
type searched struct {
	workers, jobs int
	passes        bool // as written
	broke         int
	seed          uint64
	small         *scenarios.Shrunk
}

// search runs the haystack as written, then its random worlds, and shrinks the first
// one that breaks.
func (b *bench) search() searched {
	story := b.open("haystack", "")
	passes := b.run(story).Met == scenarios.Yes
	if b.err != nil {
		return searched{}
	}
	s := searched{workers: len(story.Workers), jobs: len(story.Jobs), passes: passes}
	campaign, err := scenarios.NewCampaign(story)
	if b.fail(err); err != nil {
		return s
	}
	runner := scenarios.NewRunner()
	tally, err := campaign.Count(runner, 1, worlds, nil)
	if b.fail(err); err != nil || len(tally.Failures) == 0 {
		return s
	}
	s.broke, s.seed = tally.Unexpected, tally.Failures[0].Seed
	world, err := runner.World(campaign, s.seed, true)
	if b.fail(err); err != nil {
		return s
	}
	s.small, err = campaign.Tell(world).Shrink(tally.Failures[0].Properties[0])
	b.fail(err)
	return s
}

func haystack(a *author) {
	s := a.search()
	if a.err != nil || s.small == nil {
		return
	}
	a.say("In the story haystack %s workers look for a marker, do the work, and write the marker.", number(s.workers))
	a.say("Its test runs %s jobs without a mishap, and it %s.", number(s.jobs), verdict(s.passes))
	a.say("Now draw worlds in which messages get lost and workers die, each from a *seed*.")
	a.bet("Of the first "+itoa(worlds)+" worlds, how many break?",
		no("none: the test has passed", "it asked whether the code is right on a good day; %d worlds had a bad one.", s.broke),
		no("one or two: such things are rare", "there are %d, and the first has the seed %d.", s.broke, s.seed),
		yes("more than one in ten", "%d do, and the first has the seed %d.", s.broke, s.seed))
	a.say("That world is a haystack: it has %s and %s.", script.Count(s.small.Before.Faults, "fault"), script.Count(s.small.Before.Events, "event"))
	a.say("So *shrink* it, as long as it breaks the same promise about the same job:")
	a.show(lines(strings.Split(strings.TrimSpace(string(s.small.Story.Text())), "\n")...))
	a.say("What is left has %s and %s, and you can read it aloud.", script.Count(s.small.After.Faults, "fault"), script.Count(s.small.After.Events, "event"))
	a.say("A seed is a bug report: keep the small story as a test, and mend the code until it passes.")
	a.ends(mythTests)
	a.try(1, "ackgap teach --story haystack | ackgap check - --runs "+itoa(worlds), "THE FIRST FAILURE")
	a.try(1, "ackgap teach --story haystack | ackgap run - --seed "+strconv.FormatUint(s.seed, 10), "no-duplicate-effect is broken")
}

func verdict(passes bool) string {
	if passes {
		return "passes"
	}
	return "fails"
}
