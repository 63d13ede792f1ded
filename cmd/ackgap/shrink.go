package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// shrinkFlags are the flags of `ackgap shrink`.
type shrinkFlags struct {
	look
	backend         backend
	property, write string
	json            bool
	seed            uint64
	seeded          bool // --seed was given: the random world of that seed
}

func newShrink(s *streams) *cobra.Command {
	var f shrinkFlags
	c := &cobra.Command{
		Use:   "shrink STORY|FILE|TOKEN",
		Short: "Find the smallest story that fails as this one does",
		Long: `Shrink looks for the smallest story that breaks the same property about the same
job: fewer jobs, workers and faults, weaker faults, round times, options at
their defaults. No single fault, job, worker or producer of the result can go.
What the queue is (its variant) and what workers do with a job stay as they are.

What the story expects is dropped first. With --seed the random world of that
seed is shrunk. The same story shrinks to the same story.

Exit status: 0 it was shrunk, 1 nothing is broken, 3 the search was cut before
the result was minimal (it is shown), 4 two runs of the result differ.`,
		Example: `  ackgap shrink reference --seed 12
  ackgap shrink failing.story --property no-loss --write small.story`,
		Args: named(1, 1, "one story, a file, or a token"),
		RunE: func(c *cobra.Command, args []string) error {
			f.seeded = c.Flags().Changed("seed")
			return s.shrink(c.Context(), &f, args[0])
		},
	}
	f.flags(c)
	f.backend.flags(c)
	c.Flags().StringVar(&f.property, "property", "", "the `PROPERTY` that is to stay broken (default: the first that is)")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "shrink the random world that this `SEED` draws from the story's chaos")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the report")
	c.Flags().StringVar(&f.write, "write", "", "write the shrunk story to this `FILE`")
	return c
}

// shrink shrinks the story that arg names and shows what is left.
func (s *streams) shrink(ctx context.Context, f *shrinkFlags, arg string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if err := mayWriteStory(f.write); err != nil {
		return err
	}
	token, err := s.token(ctx, "shrink", arg)
	if err != nil {
		return err
	}
	story := token.Story
	if err := f.backend.put(s, []*scenarios.Story{story}); err != nil {
		return err
	}
	property := f.property
	if f.seeded {
		if story, property, err = f.world(story); err != nil {
			return err
		}
	}
	small, err := smallest(story, property)
	if errors.Is(err, scenarios.ErrNothingBroke) {
		return s.nothingBroke("shrink", arg, token, f.seeded, err)
	}
	if err != nil {
		return err
	}
	if _, err := s.out.Write(f.report(small, style)); err != nil {
		return err
	}
	if err := writeStory(f.write, small.Story); err != nil {
		return err
	}
	if !small.Minimal {
		return status(exitInconclusive)
	}
	return nil
}

// nothingBroke says that a story has nothing to explain or to shrink, and where it may have
// something: in its random worlds, if it has any and none was asked for.
func (s *streams) nothingBroke(verb, arg string, token *scenarios.Token, seeded bool, err error) error {
	fmt.Fprintf(s.errs, "ackgap: %snothing is broken, so there is nothing to %s\n",
		strings.TrimSuffix(err.Error(), scenarios.ErrNothingBroke.Error()), verb)
	if !seeded && !token.Story.NoChaos && token.Digest == "" && arg != "-" {
		word := shellWord(arg)
		fmt.Fprintf(s.errs, "  that is the story as it is written: `ackgap check %s` looks for random worlds that\n"+
			"  break something, and `ackgap %s %s --seed SEED` takes the world of a seed\n", word, verb, word)
	}
	return status(exitNotMet)
}

// world tells the random world of the seed as a story, and which property is to
// stay broken: the one that was asked for, or the first that may not break.
func (f *shrinkFlags) world(story *scenarios.Story) (*scenarios.Story, string, error) {
	told, out, err := retellOf(story, f.seed)
	if err != nil {
		return nil, "", err
	}
	if f.property == "" && len(out.Unnamed) > 0 {
		return told, out.Unnamed[0], nil
	}
	return told, f.property, nil
}

// report shows what was shrunk, for a person or a machine.
func (f *shrinkFlags) report(small *scenarios.Shrunk, style reports.Style) []byte {
	if f.json {
		return reports.AppendShrunkJSON(nil, small, smallAgain(small, f.write))
	}
	return appendShrunk(nil, small, smallRun(small, "", f.write), style)
}

// smallAgain is the command that runs a small story again, from the file that it is
// written to, if it is.
func smallAgain(small *scenarios.Shrunk, file string) string {
	if file != "" {
		return "ackgap run " + shellWord(file)
	}
	return "ackgap replay " + scenarios.NewToken(buildID(), small.Outcome.History.Digest, small.Story)
}

// smallest shrinks a story. What breaks besides and may is named by the small one, too.
func smallest(story *scenarios.Story, property string) (*scenarios.Shrunk, error) {
	small, err := story.Shrink(property)
	if err != nil {
		return nil, err
	}
	return small, small.Spare()
}

// smallRun is the report of a small story, which is written to a file if that is named. Of
// says what was shrunk, if that is not clear.
func smallRun(small *scenarios.Shrunk, of, file string) *reports.Run {
	title := strings.TrimSpace(of + fmt.Sprintf(" The smallest story that was found to break %s.", small.Property))
	return reports.Of(small.Outcome, title, smallAgain(small, file))
}

// appendShrunk shows what became smaller, the run of the small story, and its text.
func appendShrunk(b []byte, small *scenarios.Shrunk, r *reports.Run, style reports.Style) []byte {
	b = append(b, shrunkLines(small)+"\n\n"...)
	b = reports.AppendText(b, r, style)
	return append(append(b, "\nAS A STORY\n\n"...), small.Story.Text()...)
}

// shrunkLines say what became smaller.
func shrunkLines(small *scenarios.Shrunk) string {
	lines := fmt.Sprintf("shrunk: %s\n     -> %s (%s)", sizeText(small.Before), sizeText(small.After), script.Count(small.Runs, "run"))
	if !small.Minimal {
		lines += "\n        the search was cut, and more may go"
	}
	if job := small.Outcome.History.Names.Job(small.Job); job != small.Was {
		lines += "\n        " + job + " is the job that was " + small.Was + ": what is left is numbered anew"
	}
	return lines
}

func sizeText(n scenarios.Size) string {
	return script.Count(n.Events, "event") + ", " + script.Count(n.Faults, "fault") + ", " +
		script.Count(n.Jobs, "job") + ", " + script.Count(n.Workers, "worker")
}

// mayWriteStory refuses a file that could not be written, before the search for what
// stands in it.
func mayWriteStory(file string) error {
	if file == "" {
		return nil
	}
	if err := mayReplace(file); err != nil {
		return fmt.Errorf("--write %s: %w", script.Quote(file), cause(err))
	}
	return nil
}

// writeStory writes the text of a story to a file, if one is named.
func writeStory(file string, story *scenarios.Story) error { return writeText(file, story.Text()) }

// writeText is writeStory of a story that was told.
func writeText(file string, text []byte) error {
	if file == "" {
		return nil
	}
	if err := replaceFile(file, text); err != nil {
		return fmt.Errorf("%s: %w", script.Quote(file), cause(err))
	}
	return nil
}
