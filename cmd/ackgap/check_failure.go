package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// failing is what failed first: a story as it is written, or a random world that broke
// something unexpectedly.
type failing struct {
	source      source
	row         int              // of the story in the table
	own         *scenarios.Story // as it is written; nil for a random world
	campaign    *scenarios.Campaign
	hunt        hunt
	begin, seed uint64 // of the first world of its chunk that is run again, and its own
}

// fails notes what failed first, if that is this story: as it is written, or in one of its
// random worlds, if they were run.
func (c *checker) fails(src source, story *scenarios.Story, row *reports.Checked, campaign *scenarios.Campaign) {
	f := &failing{source: src, row: len(c.done), campaign: campaign, hunt: c.flags.hunt}
	switch {
	case c.failing != nil:
		return
	case row.Own == scenarios.No:
		f.own = story
	case row.Worlds != nil && len(row.Worlds.Failures) > 0:
		f.seed = row.Worlds.Failures[0].Seed
		f.begin = f.hunt.begin(c.flags.seed, f.seed)
	default:
		return
	}
	c.failing = f
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

// title says in a sentence or two which one it is.
func (f *failing) title() string {
	if f.own != nil {
		return f.source.told() + " as it is written."
	}
	return strings.TrimSpace(fmt.Sprintf("World %d of %s. %s", f.seed, f.source.told(), f.hunt.title()))
}

// failure is what failed first, once it was run again.
type failure struct {
	*failing
	story    *scenarios.Story   // as it was found: a random world as a story that stands alone
	out      *scenarios.Outcome // of that
	property string             // that broke and should not have; "" for none
	small    *scenarios.Shrunk  // nil where it is not to be shrunk, cannot be, or broke nothing
	run      *reports.Run       // of what is shown: the smallest story, if there is one
}

// again runs what failed first once more.
func (f *failing) again() (*failure, error) {
	if f.own != nil {
		out, err := f.own.Run(scenarios.Options{Strict: true})
		return &failure{failing: f, story: f.own, out: out}, err
	}
	told, out, err := retell(f)
	return &failure{failing: f, story: told, out: out}, err
}

// shrink looks for what is to be shown of a failure: the smallest story that fails so. The
// error says why there is none, and what was found is shown.
func (f *failure) shrink(flags *checkFlags) (err error) {
	if f.property = wronged(f.out); f.property != "" && !flags.noShrink {
		f.small, err = smallest(f.story, f.property)
	}
	if f.small != nil {
		f.run = smallRun(f.small, f.title(), flags.write)
	} else {
		f.run = reports.Of(f.out, f.title(), f.found())
	}
	return err
}

// wronged is the first default property that broke and should not have, "" where none did.
func wronged(out *scenarios.Outcome) string {
	if len(out.Unnamed) > 0 {
		return out.Unnamed[0]
	}
	for i := range out.Results {
		r := &out.Results[i]
		if r.Expect.Kind != scenarios.ExpectVerdict || r.Expect.Verdict == model.Broken || r.Met != scenarios.No {
			continue
		}
		for _, v := range out.Verdicts {
			if v.Value == model.Broken && slices.Contains(r.Expect.Properties, v.Property) {
				return v.Property
			}
		}
	}
	return ""
}

func (f *failure) token() string {
	return scenarios.NewToken(buildID(), f.out.History.Digest, f.story)
}

// replay is the command that runs it from its token, with nothing else at hand.
func (f *failure) replay() string {
	words := "ackgap replay " + f.token()
	if f.own != nil {
		words += " --strict"
	}
	return words
}

// found is the command that runs it as it was found: what standard input held is gone, and
// its token is not.
func (f *failure) found() string {
	switch {
	case f.source.isInput():
		return f.replay()
	case f.own != nil:
		return "ackgap run " + shellWord(f.source.arg) + " --strict"
	}
	return f.hunt.again(&f.source, f.begin, f.seed)
}

// explain is the command that explains it: by its seed, or by its token where the seed alone
// does not draw it.
func (f *failure) explain() string {
	words := "ackgap explain " + shellWord(f.source.arg)
	if f.source.isInput() || f.own == nil && f.hunt != (hunt{}) {
		words = "ackgap explain " + f.token()
	} else if f.own == nil {
		words += fmt.Sprintf(" --seed %d", f.seed)
	}
	if f.own != nil { // of what it expects explain knows nothing
		words += " --property " + f.property
	}
	return words
}

// ways are the commands that run it as it was found, and that explain it.
func (f *failure) ways(b []byte, indent string) []byte {
	found, replay := f.found(), f.replay()
	if found != replay {
		b = append(b, indent+"RUN AGAIN  "+found+"\n"...)
	}
	b = append(b, indent+"TOKEN      "+replay+"\n"...)
	if f.property != "" {
		b = append(b, indent+"EXPLAIN    "+f.explain()+"\n"...)
	}
	return b
}

// runFailure runs what failed first again, shows it, unless standard output is a machine's,
// and writes it to the file that --write names.
func (c *checker) runFailure() error {
	f, err := c.failing.again()
	if err != nil {
		return err
	}
	c.failure, err = f, f.shrink(c.flags)
	if c.shows() {
		err = errors.Join(err, c.showFailure(f))
	}
	return errors.Join(err, writeText(c.flags.write, f.written()))
}

// showFailure shows what failed first: as small as it gets, and below that how to see it as
// it was found.
func (c *checker) showFailure(f *failure) error {
	b := []byte("\nTHE FIRST FAILURE\n\n")
	if f.small != nil {
		b = appendShrunk(b, f.small, f.run, c.style)
		b = f.ways(append(b, "\nAS FOUND, before it was shrunk\n"...), "  ")
	} else {
		r := *f.run
		r.Again = "" // it stands beside the token
		b = reports.AppendText(b, &r, c.style)
		if f.own == nil {
			b = append(append(b, "\nAS A STORY\n\n"...), f.story.Text()...)
		}
		b = f.ways(append(b, '\n'), "")
	}
	_, err := c.streams.out.Write(b)
	return err
}

// document is what a program is told of it; nil where nothing failed.
func (f *failure) document() *reports.FirstFailure {
	if f == nil {
		return nil
	}
	return &reports.FirstFailure{
		At: f.row, Random: f.own == nil, Seed: f.seed, Outcome: f.out, Token: f.token(), Again: f.found(),
		Small: f.small, SmallAgain: f.run.Again,
	}
}

// written is the story that --write writes: what is shown, headed by what it is and how to
// see it as it was found.
func (f *failure) written() []byte {
	head, story := f.title(), f.story
	if f.small != nil {
		head, story = head+" Shrunk.", f.small.Story
	}
	return append(fmt.Appendf(nil, "# %s\n# As found: %s\n", model.Safe(head), model.Safe(f.found())), story.Text()...)
}
