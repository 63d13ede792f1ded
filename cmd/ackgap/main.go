package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The exit statuses.
const (
	exitMet          = 0
	exitNotMet       = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitDiverged     = 4
	exitInternal     = 70
	exitInterrupted  = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // whoever cannot wait interrupts twice
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// status is an error that only sets the exit status: what there was to say has
// been said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// run runs one command line and returns its exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(errs, "ackgap: internal error: %v\n%s\nThis is a defect of ackgap: please report it with the command that you ran.\n", p, debug.Stack())
			code = exitInternal
		}
	}()
	root := newRoot(&streams{in: in, out: out, errs: errs})
	for _, c := range root.Commands() {
		complete(c)
	}
	return runRoot(ctx, root, args, errs)
}

// runRoot lets root run the command line, and says on errs what went wrong.
func runRoot(ctx context.Context, root *cobra.Command, args []string, errs io.Writer) (code int) {
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var s status
	var diverged *scenarios.Diverged
	var unopened *scenarios.Unopened
	switch {
	case err == nil:
		return exitMet
	case errors.As(err, &s):
		return int(s)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "ackgap: interrupted")
		return exitInterrupted
	case errors.As(err, &diverged):
		fmt.Fprintf(errs, "ackgap: %v\n", err)
		return exitDiverged
	case errors.As(err, &unopened) && unopened.WasLost:
		fmt.Fprintf(errs, "ackgap: %v\n", err)
		return exitInconclusive
	}
	fmt.Fprintf(errs, "ackgap: %v\n", err)
	return exitUsage
}

// streams are where a command reads and writes.
type streams struct {
	in        io.Reader
	out, errs io.Writer
}

func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "ackgap",
		Short: "What does a job queue do when the acknowledgement never arrives?",
		Long: `ackgap runs stories about leased job queues against a virtual clock and a
network that loses messages, and says who lost a job, who did one twice, and
who closed the gap.

Exit status: 0 every expectation met, 1 not, 2 wrong use or a bad file,
3 inconclusive, 4 two runs diverged, 70 internal error, 130 interrupted.

` + configHelp,
		Example: `  ackgap demo                          the gap, its twin, the fence, the cure
  ackgap teach 1                       the first of ten short lessons
  ackgap run lost-ack                  one story of the catalogue
  ackgap run lost-ack --set w1.consumer=atomic --set w2.consumer=atomic
  ackgap run my/*.story                your own stories
  ackgap check --runs 10000            random worlds of every story
  ackgap twin FILE                     the other history, the same to the queue
  ackgap shrink FILE                   the smallest story that fails as this one
  ackgap explain FILE                  what its failure needs, and what fixes it
  ackgap explain no-duplicate-effect   what a property claims`,
		Version:       buildVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.errs)
	root.SetFlagErrorFunc(badFlag)
	root.PersistentFlags().String("config", "", "read flags from this `FILE`, too: FLAG = VALUE a line, see 'ackgap help'")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		return errors.Join(noneEmpty(c), applyPresets(c), noneExcluded(c))
	}
	root.SetVersionTemplate(versions())
	root.SetHelpTemplate(helpTemplate)
	root.SetHelpCommand(newHelp())
	root.CompletionOptions.DisableDefaultCmd = true // newCompletion is better told
	root.AddCommand(newRun(s), newCheck(s), newReplay(s), newReport(s), newOpen(s), newShrink(s), newTeach(s), newTwin(s), newCheckLog(s), newDigests(s), newDoctor(s), newDemo(s), newGenerals(s), newExplore(s), newTolerance(s), newCoverage(s), newStorm(s), newList(s), newExplain(s), newCompletion(s), newMan(s), newVersion(s))
	return root
}

// helpTemplate is the text of every --help: what the command is for, examples of it, how
// it is called, and only then what there is to know, in 80 columns.
const helpTemplate = `{{.Short}}

Examples:
{{.Example}}

Usage:
  {{.UseLine}}{{if and .HasAvailableSubCommands .Runnable}}
  {{.CommandPath}} COMMAND{{end}}
{{with .Long}}
{{.}}
{{end}}{{if .HasAvailableSubCommands}}
Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Flags of every command:
{{.InheritedFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}
{{end}}`

// badFlag adds to what is wrong with a flag where to read which there are.
func badFlag(c *cobra.Command, err error) error {
	if unknown := new(pflag.NotExistError); errors.As(err, &unknown) && unknown.GetSpecifiedName() == "json" && noJSON[c.Name()] != "" {
		return fmt.Errorf("%s has no --json: %s", c.Name(), noJSON[c.Name()])
	}
	return fmt.Errorf("%s%s (`%s --help` shows the flags)", printable(readable(err).Error()), nearFlag(c, err), c.CommandPath())
}

// readable says of a value that is none what it must be.
func readable(err error) error {
	invalid := new(pflag.InvalidValueError)
	if !errors.As(err, &invalid) {
		return err
	}
	words, ok := values[invalid.GetFlag().Value.Type()]
	if !ok {
		return err
	}
	what, _ := strings.CutSuffix(err.Error(), errors.Unwrap(invalid).Error())
	return errors.New(what + words)
}

// noneEmpty refuses a flag that is given as "": somebody's variable is not set, and what
// was to be written would not be.
func noneEmpty(c *cobra.Command) error {
	var errs []error
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			errs = append(errs, fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name))
		}
	})
	return errors.Join(errs...)
}

// noneExcluded refuses two flags of which one excludes the other, before cobra does in
// words of its own.
func noneExcluded(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if other := crowdedOut(c, f); err == nil && other != "" {
			err = fmt.Errorf("%s: --%s and --%s exclude each other; give one of them", c.Name(), f.Name, other)
		}
	})
	return err
}

// nearFlag names the flag that was meant by one that is unknown.
func nearFlag(c *cobra.Command, err error) string {
	unknown := new(pflag.NotExistError)
	if !errors.As(err, &unknown) {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near, ok := script.Nearest(unknown.GetSpecifiedName(), names); ok {
		return "; did you mean --" + near + "?"
	}
	return ""
}

// printable returns s, with escapes where it has something that a terminal would obey: a
// word of the command line can be from anywhere.
func printable(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return model.Safe(s)
	}
	return s
}

// values says what a flag takes, by its type.
var values = map[string]string{
	"uint64":        "it must be a whole number from 0 to 18446744073709551615, such as 1000",
	"int":           "it must be a whole number, such as 4",
	"cores":         "it must be a whole number from 1 to " + strconv.Itoa(maxCores),
	"intSlice":      "it must be whole numbers with commas between them, such as 50,75",
	"bool":          "it must be true or false, or nothing for true",
	"duration":      "it must be a span of time with its unit, such as 90s or 2m",
	"durationSlice": "it must be spans of time with their units and commas between them, such as 1s,20s",
}

// noArguments refuses what stands behind a command that takes flags only.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, and %s is one (`%s --help`)", c.Name(), script.Quote(args[0]), c.CommandPath())
}

// named demands from least to most arguments, and says what they name where they are others.
func named(least, most int, words string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s: name %s", c.Name(), words)
		}
		return nil
	}
}

// noCommand refuses a word that is no command, and names the nearest one.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if strings.HasSuffix(args[0], ".story") || slices.Contains(scenarios.Catalogue(), args[0]) {
		return fmt.Errorf("%s is a story, and no command; run it: ackgap run %s", script.Quote(args[0]), shellWord(args[0]))
	}
	return errors.New(script.Unknown("command", args[0], commandNames(c)))
}

func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}
