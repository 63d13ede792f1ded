package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/argue"
)

// explainFlags are the flags of `ackgap explain`.
type explainFlags struct {
	look
	backend  backend
	out      outputs
	json     bool
	property string
	seed     uint64
	seeded   bool // --seed was given: the random world of that seed
	runs     uint64
	time     time.Duration
	cores    int
	ofStory  string // the first flag given that is about a story
}

func newExplain(s *streams) *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain PROPERTY... | STORY|FILE|TOKEN|-",
		Short: "Say what a property claims, or what a failure needs",
		Long: `Explain says of a property what it claims, when it is broken, and where the idea
is from. Without a name it says which properties there are.

Of a story that fails (a name, a file, a token, or - for standard input) it
finds out by running what the failure needs and what fixes it. The story is
shrunk first. Of the small story each fault is taken away in turn, and each
option varied. Then every consumer, ack, lease and habit that might help is
tried on it, and on random worlds of the whole story: only what breaks nothing
in any of them is called a fix.

What the story expects is dropped first. The result does not depend on the
number of cores.

Exit status: 0 it is explained, 1 nothing is broken, 2 wrong use, 4 two runs
differ.`,
		Example: `  ackgap explain no-loss one-place
  ackgap explain lost-ack
  ackgap explain failing.story --property no-loss --runs 100000
  ackgap explain reference --seed 12
  ackgap explain lost-ack --out html=lost-ack.html`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			f.note(c)
			return s.explain(c.Context(), &f, args)
		},
	}
	f.flags(c)
	f.backend.flags(c)
	f.out.flags(c)
	c.Flags().StringVar(&f.property, "property", "", "the `PROPERTY` that is broken (default: the first that is)")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "explain the random world that this `SEED` draws from the story's chaos")
	c.Flags().Uint64Var(&f.runs, "runs", argue.DefaultRuns, "`N` random worlds in which each change is tried")
	c.Flags().DurationVar(&f.time, "time", 0, "begin no further worlds after this `DURATION`, such as 90s (0: no limit)")
	coresVar(c, &f.cores, runtime.GOMAXPROCS(0), "run `N` worlds at once")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document instead of the text; without a name, of all properties")
	return c
}

// note remembers which flags were given.
func (f *explainFlags) note(c *cobra.Command) {
	f.seeded = c.Flags().Changed("seed")
	for _, name := range []string{"property", "seed", "runs", "time", "cores", "out", "github", "backend", "flush-queue"} {
		if f.ofStory == "" && c.Flags().Changed(name) {
			f.ofStory = name
		}
	}
}

// explain explains the properties that args name, or the story.
func (s *streams) explain(ctx context.Context, f *explainFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	names := propertyNames()
	isProperty := func(arg string) bool { return slices.Contains(names, arg) }
	switch i := slices.IndexFunc(args, func(arg string) bool { return !isProperty(arg) }); {
	case len(args) == 0 && f.json:
		return s.explainProperties(f, style, names)
	case len(args) == 0:
		return fmt.Errorf("explain: name a property, or a story that fails (`ackgap list`); the properties are%s", columns(names))
	case i < 0 && f.ofStory != "":
		return fmt.Errorf("explain: --%s is about a story, and %s is a property", f.ofStory, args[0])
	case i < 0:
		return s.explainProperties(f, style, args)
	case len(args) > 1 && slices.ContainsFunc(args, isProperty):
		if !isWord(args[i]) || slices.Contains(scenarios.Catalogue(), args[i]) {
			return fmt.Errorf("explain: %s is a story, and is explained alone: ackgap explain %s", script.Quote(args[i]), shellWord(args[i]))
		}
		return fmt.Errorf("explain: %s; a story is explained alone", noSuch(args[i], names))
	case len(args) > 1:
		return errors.New("explain: one story at a time")
	}
	return s.explainStory(ctx, f, style, args[0])
}

// propertyNames lists what can be explained without a run.
func propertyNames() (names []string) {
	for _, p := range append(model.Properties(), model.Reach()...) {
		names = append(names, p.Name)
	}
	return names
}

// columns writes words in three columns, each line with a line break before it.
func columns(words []string) string {
	const each, wide = 3, 24
	var b []byte
	for i, w := range words {
		if i%each == 0 {
			b = append(b, "\n  "...)
		}
		if b = append(b, w...); i%each < each-1 && i < len(words)-1 {
			b = append(b, strings.Repeat(" ", max(1, wide-len(w)))...)
		}
	}
	return string(b)
}

func (s *streams) explainProperties(f *explainFlags, style reports.Style, names []string) error {
	var b []byte
	if f.json {
		_, err := s.out.Write(propertiesJSON(names))
		return err
	}
	for i, name := range names {
		if i > 0 {
			b = append(b, '\n')
		}
		p, _ := model.FindProperty(name)
		b = reports.AppendExplain(b, p, style)
	}
	_, err := s.out.Write(b)
	return err
}

// noSuch says that arg is nothing that can be explained, and what is near.
func noSuch(arg string, properties []string) string {
	text := script.Quote(arg) + " is no property, no story of the catalogue and no file"
	if near, ok := script.Nearest(arg, append(properties, scenarios.Catalogue()...)); ok {
		return text + "; did you mean " + script.Quote(near) + "?"
	}
	return text + " (`ackgap list` shows the stories, `ackgap explain` the properties)"
}

// isWord reports whether arg can only be a name: of a property, or of a story of
// the catalogue.
func isWord(arg string) bool {
	_, err := os.Stat(arg)
	return errors.Is(err, fs.ErrNotExist) && !looksLikeFile(arg) && !scenarios.IsToken(arg) &&
		!strings.ContainsAny(arg, "*?[") && arg != "-"
}

// explainStory explains why the story that arg names fails.
func (s *streams) explainStory(ctx context.Context, f *explainFlags, style reports.Style, arg string) error {
	if f.runs < 1 || f.time < 0 {
		return errors.New("explain: --runs must be 1 or more, and --time not negative")
	}
	if f.json && f.out.takesStdout() {
		return errors.New("explain: --json and --out exclude each other on standard output; give one a file")
	}
	if err := f.out.open("explain", false); err != nil {
		return err
	}
	if isWord(arg) && !slices.Contains(scenarios.Catalogue(), arg) {
		return errors.New("explain: " + noSuch(arg, propertyNames()))
	}
	token, err := s.token(ctx, "explain", arg)
	if err != nil {
		return err
	}
	story := token.Story
	if err := f.backend.put(s, []*scenarios.Story{story}); err != nil {
		return err
	}
	e, err := f.find(ctx, s, story)
	if errors.Is(err, scenarios.ErrNothingBroke) {
		return s.nothingBroke("explain", arg, token, f.seeded, err)
	}
	if err != nil {
		return err
	}
	return f.write(s, e, style)
}

// write writes the explanation, and the small story in the forms that --out names.
func (f *explainFlags) write(s *streams, e *argue.Explanation, style reports.Style) error {
	f.out.explained = e
	if err := f.out.run(s, reports.SmallRun(e, againOf(e)), source{}, style); err != nil {
		return err
	}
	if err := f.out.end(s); err != nil || f.out.takesStdout() {
		return err
	}
	_, err := s.out.Write(f.report(e, style))
	return err
}

// againOf is the command that runs the small story again.
func againOf(e *argue.Explanation) string {
	return "ackgap replay " + scenarios.NewToken(buildID(), e.Small.Outcome.History.Digest, e.Small.Story)
}

// find finds the explanation of the story, or of its random world.
func (f *explainFlags) find(ctx context.Context, s *streams, story *scenarios.Story) (*argue.Explanation, error) {
	failing, property := story, f.property
	if f.seeded {
		var err error
		if failing, property, err = (&shrinkFlags{property: f.property, seed: f.seed}).world(story); err != nil {
			return nil, err
		}
	}
	progress := newProgress(s.errs, 1+argue.Changes(story), f.runs)
	progress.of = "changes"
	defer progress.end()
	e, err := argue.Explain(failing, argue.Options{
		Property: property, World: story, Runs: f.runs, Sweep: f.sweep(ctx, progress),
	})
	if err != nil {
		return nil, err
	}
	return e, e.Small.Spare()
}

// sweep runs worlds on all cores, until the time is up. An interrupt is an error.
func (f *explainFlags) sweep(ctx context.Context, p *progress) argue.Sweep {
	deadline := time.Now().Add(f.time)
	return func(c *scenarios.Campaign, runs uint64, enough func(*scenarios.Tally) bool) (*scenarios.Tally, error) {
		timed, stop := ctx, context.CancelFunc(func() {})
		if f.time > 0 {
			timed, stop = context.WithDeadline(ctx, deadline)
		}
		defer stop()
		total := c.NewTally()
		all := sweep{campaign: c, first: argue.FirstSeed, runs: runs, cores: f.cores}
		for t, err := range all.tallies(timed) {
			if err != nil {
				return nil, err
			}
			total.Add(t)
			p.worlds(t)
			if enough(total) {
				break
			}
		}
		if p.finished < p.stories { // pairs come on top
			p.story(true)
		}
		return total, ctx.Err()
	}
}

// report writes the explanation.
func (f *explainFlags) report(e *argue.Explanation, style reports.Style) []byte {
	if f.json {
		return reports.AppendExplanationJSON(nil, e, againOf(e))
	}
	return reports.AppendExplanation([]byte(shrunkLines(e.Small)+"\n\n"), e, againOf(e), style)
}

// explainLine is the command that explains what a run has broken, as a line behind
// the one that runs it again; empty where no default property of a run that is not
// met is broken.
func (f *runFlags) explainLine(src source, out *scenarios.Outcome) string {
	if out.Met != scenarios.No || !slices.ContainsFunc(out.Verdicts, func(v model.Verdict) bool {
		return v.Value == model.Broken && out.IsDefault(v.Property)
	}) {
		return ""
	}
	const line = "EXPLAIN    ackgap explain "
	switch {
	case src.isInput() || len(f.set) > 0: // the token is of the world itself
		return line + scenarios.NewToken(buildID(), out.History.Digest, out.Story) + "\n"
	case f.seeded:
		return line + shellWord(src.arg) + " --seed " + strconv.FormatUint(f.seed, 10) + "\n"
	}
	return line + shellWord(src.arg) + "\n"
}
