package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// twinFlags are the flags of `ackgap twin`.
type twinFlags struct {
	look
	backend  backend
	observer string
	seed     uint64
	seeded   bool // --seed was given: the random world of that seed
	set      []string
	asStory  bool
	json     bool
}

func newTwin(s *streams) *cobra.Command {
	var f twinFlags
	c := &cobra.Command{
		Use:   "twin STORY|FILE|TOKEN [J#N]",
		Short: "Show the other history that looks the same to the queue",
		Long: `Twin looks for another history of the same world of which the queue saw the same
up to the moment when it acted, and in which the work of a delivery had its
effect where it had none here, or the other way round. It shows both side by
side, with what comes of delivering again and of staying silent: all of it is
run. Where the queue could have known, it names the message that told it.

With --observer W it asks a worker instead, who got no answer to its settlement:
was it accepted? Without J#N it asks about the delivery that broke the story's
property, or else about the first that has a twin.

With --story it prints the twin as a story that runs alone.

Exit status: 0 there is a twin, 1 the observer could have known, 3 neither was
found, 4 the twin's story leaves another history.`,
		Example: `  ackgap twin lost-ack
  ackgap twin lost-ack --story | ackgap run -
  ackgap twin lost-ack J1#1 --observer w1
  ackgap twin mutants/ignores-ack      here it could have known`,
		Args: named(1, 2, "one story, a file, or a token, and perhaps a delivery such as J1#1"),
		RunE: func(c *cobra.Command, args []string) error {
			f.seeded = c.Flags().Changed("seed")
			return s.twin(c.Context(), &f, args)
		},
	}
	f.flags(c)
	f.backend.flags(c)
	c.Flags().StringVar(&f.observer, "observer", "queue", "ask this `PROCESS`: queue, or a worker")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "ask about the random world that this `SEED` draws from the story's chaos")
	c.Flags().StringArrayVar(&f.set, "set", nil, "change an `OPTION`: OWNER.OPTION=VALUE (repeatable)")
	c.Flags().BoolVar(&f.asStory, "story", false, "print the twin as a story that runs alone")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the text")
	c.MarkFlagsMutuallyExclusive("story", "json")
	return c
}

// twin answers by its exit status whether the observer could have known.
func (s *streams) twin(ctx context.Context, f *twinFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	story, err := s.twinStory(ctx, f, args[0])
	if err != nil {
		return err
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		return err
	}
	property, known, err := f.ask(out, args[1:])
	if err != nil {
		return err
	}
	if known.Twin != nil {
		if err := runsAlone(known.Twin); err != nil {
			return err
		}
	}
	return s.showTwin(f, style, reports.KnownOf(out, property, known, ""), out)
}

// twinStory reads the story, changes it as --set says, and tells the world of --seed.
func (s *streams) twinStory(ctx context.Context, f *twinFlags, arg string) (*scenarios.Story, error) {
	token, err := s.token(ctx, "twin", arg)
	if err != nil {
		return nil, err
	}
	story, err := changed(token.Story, f.set)
	if err != nil {
		return nil, err
	}
	if err := f.backend.put(s, []*scenarios.Story{story}); err != nil {
		return nil, err
	}
	if !f.seeded {
		return story, nil
	}
	told, _, err := retellOf(story, f.seed)
	return told, err
}

// ask asks the observer about the delivery that is named, or about what broke.
func (f *twinFlags) ask(out *scenarios.Outcome, named []string) (property string, k *scenarios.Knowledge, err error) {
	cast := out.Story.Cast()
	observer, ok := cast.Proc(f.observer)
	if !ok {
		return "", nil, fmt.Errorf("twin: --observer: %s", script.Unknown("process", f.observer, cast.ProcNames()))
	}
	job, n := model.NoJob, int32(0)
	if len(named) > 0 {
		if job, n, err = deliveryOf(cast, named[0]); err != nil {
			return "", nil, err
		}
	} else if property, k = out.CouldHaveKnown(observer); k != nil {
		return property, k, nil
	}
	if k = out.Story.FindTwin(out.History, observer, job, n); k == nil {
		return "", nil, f.nothing(named)
	}
	return "", k, nil
}

// who is the observer in a sentence.
func (f *twinFlags) who() string {
	if f.observer == "queue" {
		return "the queue"
	}
	return f.observer
}

// nothing says why there was nothing to ask.
func (f *twinFlags) nothing(named []string) error {
	what := "a delivery"
	if len(named) > 0 {
		what = script.Quote(named[0])
	}
	if f.observer == "queue" {
		return fmt.Errorf("twin: the queue delivered nothing: there was no claim of %s that got a job", what)
	}
	return fmt.Errorf("twin: %s did not settle %s, or did nothing after it: it has nothing to ask itself; try --observer queue", f.observer, what)
}

func deliveryOf(cast *scenarios.Cast, arg string) (model.Job, int32, error) {
	name, n, ok := script.ParseDelivery(arg)
	if !ok {
		return 0, 0, fmt.Errorf("twin: %s is no delivery; write J1#2 for the second of J1, or J1 for any", script.Quote(arg))
	}
	job, ok := cast.Job(name)
	if !ok {
		return 0, 0, errors.New("twin: " + script.Unknown("job", name, cast.JobNames()))
	}
	return job, n, nil
}

// runsAlone runs the text of the twin, which must leave the same history.
func runsAlone(t *scenarios.Twin) error {
	story, err := scenarios.Parse("twin", t.Story.Text())
	if err != nil {
		return fmt.Errorf("the twin's story is refused; this is a defect of ackgap:\n%w", err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		return err
	}
	return scenarios.Same(t.History, out.History)
}

func (s *streams) showTwin(f *twinFlags, style reports.Style, known *reports.Known, out *scenarios.Outcome) error {
	code, b := exitMet, []byte(nil)
	switch {
	case known.Twin == nil && known.Told != nil:
		code = exitNotMet
	case known.Twin == nil:
		code = exitInconclusive
	}
	switch {
	case f.asStory && known.Twin == nil:
		b = nil
		fmt.Fprintln(s.errs, "ackgap: no twin was found (without --story it says why)")
	case f.asStory:
		b = append(fmt.Appendf(nil, "# The twin of %s: %s saw the same.\n", out.Story.Name, f.who()), known.Twin.Story.Text()...)
	case f.json:
		b = reports.AppendTwinJSON(nil, &reports.Run{History: out.History, Known: known, Text: string(out.Story.Text())})
	default:
		b = reports.AppendTwin(nil, &reports.Run{History: out.History, Known: known}, style)
		if known.Twin != nil {
			b = append(append(b, "\nB AS A STORY  (digest "+known.Twin.History.Digest.String()+")\n\n"...), known.Twin.Story.Text()...)
		}
	}
	if _, err := s.out.Write(b); err != nil {
		return err
	}
	if code != exitMet {
		return status(code)
	}
	return nil
}
