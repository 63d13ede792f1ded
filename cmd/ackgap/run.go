package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/scenarios"
)

// runFlags are the flags of `ackgap run`.
type runFlags struct {
	look
	backend                       backend
	out                           outputs
	json, history, strict, update bool
	judged                        bool
	set                           []string
	log                           bool // the run as a log, for check-log

	seed    uint64
	seeded  bool // --seed was given: the random world of that seed
	asStory bool // print the world as a story instead of its report
	replays bool // the command that runs it again is replay
}

func newRun(s *streams) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run STORY|FILE|FOLDER|PATTERN|-...",
		Short: "Run stories and say whether they went as expected",
		Long: `Run runs each story once and reports what came of it. A story is named as
in ` + "`ackgap list`" + `, or by its file, its folder, or a pattern; - reads one from
standard input. One story is shown in full, several in a line each and in full
where one did not go as expected. How to write one:
reports/docs/stories.md.

With --set the story is changed and its expectations are dropped: every default
property must hold instead. OWNER is queue, network, or the name of a worker,
a producer or a job of the story.`,
		Example: `  ackgap run lost-ack
  ackgap run lost-ack --set w1.consumer=atomic --set w2.consumer=atomic
  ackgap run 'scorer*' --strict
  ackgap run lost-ack --json | jq .outcome
  ackgap run lost-ack --out html=lost-ack.html --out svg=lost-ack.svg
  ackgap run my/*.story --out junit=ackgap.xml
  ackgap run - < my.story`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("run: name a story (`ackgap list` shows them), a file, or - for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.seeded = c.Flags().Changed("seed")
			if f.asStory && !f.seeded {
				return errors.New("run: --story prints the random world of a seed; give --seed N with it")
			}
			return s.run(c.Context(), &f, args)
		},
	}
	f.flags(c)
	f.backend.flags(c)
	f.out.flags(c)
	c.Flags().Uint64Var(&f.seed, "seed", 0, "run the random world that this `SEED` draws from the story's chaos")
	c.Flags().BoolVar(&f.asStory, "story", false, "with --seed: print that world as a story that runs alone")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON document a story instead of the report")
	c.Flags().BoolVar(&f.history, "history", false, "the history, one record a line, instead of the report")
	c.Flags().BoolVar(&f.judged, "judged", false, "what was judged, one thing a line, instead of the report")
	c.Flags().BoolVar(&f.log, "log", false, "the run as a log for check-log, instead of the report")
	c.Flags().BoolVar(&f.strict, "strict", false, "a broken default property that no expect line names is a failure too")
	c.Flags().BoolVar(&f.update, "update", false, "write the history of this run into the story's file, below a line ----, where later runs must match it")
	c.Flags().StringArrayVar(&f.set, "set", nil, "change an `OPTION`: OWNER.OPTION=VALUE (repeatable)")
	return c
}

// run runs the stories that args name, and answers by its exit status.
func (s *streams) run(ctx context.Context, f *runFlags, args []string) error {
	style, err := f.style(s.out)
	if err != nil {
		return err
	}
	if err := f.oneOutput("run"); err != nil {
		return err
	}
	sources, err := s.open(ctx, args)
	if err != nil {
		return err
	}
	stories, err := f.parse(sources)
	if err != nil {
		return err
	}
	if err := f.backend.put(s, stories); err != nil {
		return err
	}
	if err := f.out.open("run", len(stories) > 1); err != nil {
		return err
	}
	worst := exitMet
	runner := scenarios.NewRunner()
	defer s.close(runner)
	width := nameWidth(stories)
	for i, story := range stories {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.seeded {
			code, err := s.seedWorld(f, style, sources[i], story)
			if err != nil {
				return err
			}
			worst = worse(worst, code)
			continue
		}
		out, err := runner.Run(story, scenarios.Options{Strict: f.strict})
		if err != nil {
			return err
		}
		if err := s.show(f, style, sources[i], out, len(stories) > 1, width); err != nil {
			return err
		}
		worst = worse(worst, exitOf(out.Met))
	}
	if err := f.out.end(s); err != nil {
		return err
	}
	if worst != exitMet {
		return status(worst)
	}
	return nil
}

// oneOutput refuses two flags that each say what is to be written: one of them
// would be ignored without a word.
func (f *runFlags) oneOutput(verb string) error {
	var given []string
	for _, flag := range []struct {
		name string
		set  bool
	}{{"--json", f.json}, {"--history", f.history}, {"--judged", f.judged}, {"--log", f.log}, {"--update", f.update}, {"--story", f.asStory},
		{"--out", f.out.takesStdout() || len(f.out.asked) > 0 && (f.update || f.asStory)}} {
		if flag.set {
			given = append(given, flag.name)
		}
	}
	if len(given) > 1 {
		return fmt.Errorf("%s: %s exclude each other; give one", verb, strings.Join(given, " and "))
	}
	if f.update && f.seeded {
		return fmt.Errorf("%s: --update pins the story's own history, and --seed runs another", verb)
	}
	return nil
}

// parse reads all stories before one is run, so that nothing runs until all are
// valid.
func (f *runFlags) parse(sources []source) ([]*scenarios.Story, error) {
	var stories []*scenarios.Story
	var errs []error
	for _, src := range sources {
		story, err := parseStory(src)
		if err == nil {
			story, err = changed(story, f.set)
		}
		stories, errs = append(stories, story), append(errs, err)
	}
	return stories, errors.Join(errs...)
}

// changed returns the story with the options changed that sets name.
func changed(story *scenarios.Story, sets []string) (*scenarios.Story, error) {
	for _, set := range sets {
		key, value, ok := strings.Cut(set, "=")
		if !ok {
			return nil, fmt.Errorf("--set %q: write OWNER.OPTION=VALUE, as w1.consumer=atomic", set)
		}
		var err error
		if story, err = story.Set(key, value); err != nil {
			return nil, err
		}
	}
	return story, nil
}

func nameWidth(stories []*scenarios.Story) int {
	width := 0
	for _, s := range stories {
		width = max(width, len(s.Name))
	}
	return width
}

// show writes what came of one story.
func (s *streams) show(f *runFlags, style reports.Style, src source, out *scenarios.Outcome, many bool, width int) error {
	if f.update {
		return s.update(src, out)
	}
	if out.Lost != nil && f.out.has("log") {
		return lostLog(out)
	}
	r := f.reported(src, out)
	if err := f.out.run(s, r, src, style); err != nil || f.out.takesStdout() {
		return err
	}
	var b []byte
	switch {
	case f.json:
		b = reports.AppendJSON(b, r)
	case f.log:
		return s.writeLog(out, many)
	case f.history:
		b = out.History.AppendText(b)
	case f.judged:
		b = append(b, strings.Join(out.Judged(), "\n")+"\n"...)
	case many:
		b = reports.AppendSummary(b, r, width, style)
		if out.Met != scenarios.Yes {
			b = reports.AppendText(append(b, '\n'), r, style)
			b = append(append(b, f.explainLine(src, out)...), '\n')
		}
	default:
		b = append(reports.AppendText(b, r, style), f.explainLine(src, out)...)
	}
	_, err := s.out.Write(b)
	return err
}

// reported is what came of a story, in the words of a report.
func (f *runFlags) reported(src source, out *scenarios.Outcome) *reports.Run {
	return reports.Of(out, scenarios.Title(src.text), f.again(src, out))
}

// again returns the command that runs the story once more, ready for a shell: what standard
// input held is gone, and a token has all of it.
func (f *runFlags) again(src source, out *scenarios.Outcome) string {
	words := []string{"ackgap", "run", shellWord(src.arg)}
	switch {
	case src.isInput():
		words = []string{"ackgap", "replay", scenarios.NewToken(buildID(), out.History.Digest, out.Story)}
	case f.replays:
		words[1] = "replay"
	default:
		if f.seeded {
			words = append(words, "--seed", strconv.FormatUint(f.seed, 10))
		}
		for _, set := range f.set {
			words = append(words, "--set", shellWord(set))
		}
	}
	if f.strict {
		words = append(words, "--strict")
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word for a POSIX shell where it needs it. A file that begins as a flag
// does gets its folder, or the command would take it for one.
func shellWord(w string) string {
	if strings.HasPrefix(w, "-") && w != "-" {
		w = "./" + w
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+%@", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// update rewrites the history that a story's file holds.
func (s *streams) update(src source, out *scenarios.Outcome) error {
	if !src.disk {
		return fmt.Errorf("%s: --update rewrites files, and this is none", printable(src.file))
	}
	text := scenarios.WithHistory(src.text, out.HistoryText())
	if err := replaceFile(src.file, text); err != nil {
		return fmt.Errorf("%s: %w", printable(src.file), cause(err))
	}
	fmt.Fprintf(s.errs, "%s: the history is rewritten\n", printable(src.file))
	return nil
}

func exitOf(m scenarios.Met) int {
	switch m {
	case scenarios.Yes:
		return exitMet
	case scenarios.No:
		return exitNotMet
	}
	return exitInconclusive
}

// worse returns the status that outweighs: not met, then inconclusive.
func worse(a, b int) int {
	if a == exitNotMet || b == exitMet {
		return a
	}
	return b
}
