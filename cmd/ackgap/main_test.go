package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"

	"github.com/ackgap/ackgap/scenarios"
)

// beAckgap is the variable that makes this test program ackgap.
const beAckgap = "ACKGAP_TESTS_ARE_ACKGAP"

// The command line is tested as text files: testdata/script/*.txtar, one per
// verb and one for what is refused. A line `exits N ackgap ...` demands the exit
// status N.
func TestMain(m *testing.M) {
	if os.Getenv(beAckgap) != "" { // what a test lets ackgap start is ackgap, and not its tests
		main()
	}
	testscript.Main(m, map[string]func(){"ackgap": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:             "testdata/script",
		UpdateScripts:   os.Getenv("ACKGAP_UPDATE_SCRIPTS") != "",
		ContinueOnError: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "token": saveToken, "binary": saveBinary},
	})
}

// saveBinary writes what begins as a program does: a script that held it would be no text.
func saveBinary(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("\x7fELF\x00\x00\x01\n"), 0o600))
}

// exits runs a command and demands its exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		got = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("the exit status is %s and should be %s", got, args[0])
	}
}

// Every command has a text file that runs it.
func TestEveryCommandHasAScript(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	for _, c := range newRoot(&streams{}).Commands() {
		if !regexp.MustCompile(`(?m)^exits [0-9]+ ackgap ` + c.Name() + `( |$)`).Match(all) {
			t.Errorf("no script runs ackgap %s", c.Name())
		}
	}
}

// Help leads with examples, for every command, and each is a line of that command.
func TestHelpBeginsWithExamples(t *testing.T) {
	for _, c := range newRoot(&streams{}).Commands() {
		var out bytes.Buffer
		run(t.Context(), []string{c.Name(), "--help"}, nil, &out, io.Discard)
		_, text, _ := strings.Cut(out.String(), "\n\n")
		if !strings.HasPrefix(text, "Examples:\n") || strings.Count(text, "  ackgap "+c.Name()) < 2 {
			t.Errorf("ackgap %s --help begins with\n%.300s", c.Name(), out.String())
		}
	}
}

// A flag that takes a value says what it takes, in capitals or as its unit: no help has the
// names of Go's types.
func TestAFlagNamesWhatItTakes(t *testing.T) {
	named := regexp.MustCompile(`^[A-Z]+(=[A-Z]+)?$|^MiB$`)
	for _, c := range newRoot(&streams{}).Commands() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); name != "" && !named.MatchString(name) {
				t.Errorf("ackgap %s --%s takes %q", c.Name(), f.Name, name)
			}
		})
	}
}

// The shells in which completion.txtar completes are there, where nothing may be skipped.
func TestTheShellsAreHere(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if _, err := exec.LookPath(shell); err == nil {
			continue
		}
		if os.Getenv("ACKGAP_REQUIRE") == "all" {
			t.Errorf("there is no %s, and ACKGAP_REQUIRE is all", shell)
		}
		t.Logf("there is no %s: completion is not tried in it", shell)
	}
}

// Whoever asks for help may sit at a terminal of 80 columns.
func TestHelpFitsInto80Columns(t *testing.T) {
	commands := []string{""}
	for _, c := range newRoot(&streams{}).Commands() {
		commands = append(commands, c.Name())
	}
	for _, name := range commands {
		var out bytes.Buffer
		if code := run(t.Context(), strings.Fields(name+" --help"), nil, &out, io.Discard); code != exitMet {
			t.Fatalf("%s: exit status %d", name, code)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("ackgap %s --help: %d columns: %s", name, n, line)
			}
		}
	}
}

// A panic inside is an internal error with its own exit status, not a crash.
func TestAPanicIsAnInternalError(t *testing.T) {
	broken := writer(func([]byte) (int, error) { panic("a defect") })
	if got := run(t.Context(), []string{"list"}, nil, broken, io.Discard); got != exitInternal {
		t.Errorf("exit status %d", got)
	}
}

// What cannot be written is an error: a full disk must not look like a success.
func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	full := writer(func([]byte) (int, error) { return 0, errors.New("no space left on device") })
	for _, args := range [][]string{{"list"}, {"run", "lost-ack"}, {"explain", "no-loss"}, {"version"}, {"demo"}} {
		if got := run(t.Context(), args, nil, full, io.Discard); got == exitMet {
			t.Errorf("%v: exit status 0", args)
		}
	}
}

// An interrupt ends a run between two stories, with its own exit status.
func TestAnInterruptEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := run(ctx, []string{"run", "lost-ack"}, nil, io.Discard, io.Discard); got != exitInterrupted {
		t.Errorf("exit status %d", got)
	}
}

// An interrupt does not wait for the end of what is being read: a terminal, or a
// pipe that nobody writes to, has none.
func TestAnInterruptEndsTheWaitForInput(t *testing.T) {
	for _, verb := range []string{"run", "check", "replay", "digests"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(10*time.Millisecond, cancel)
			in, end := io.Pipe()
			late := time.AfterFunc(30*time.Second, func() { _ = end.Close() })
			if got := run(ctx, []string{verb, "-"}, in, io.Discard, io.Discard); got != exitInterrupted || !late.Stop() {
				t.Errorf("exit status %d, or it waited for the end of input", got)
			}
			_ = end.Close()
		})
	}
}

func TestNotMetOutweighsInconclusive(t *testing.T) {
	for _, c := range []struct{ a, b, want int }{
		{exitMet, exitInconclusive, exitInconclusive}, {exitInconclusive, exitMet, exitInconclusive},
		{exitNotMet, exitInconclusive, exitNotMet}, {exitInconclusive, exitNotMet, exitNotMet},
	} {
		if got := worse(c.a, c.b); got != c.want {
			t.Errorf("worse(%d, %d) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
	if exitOf(scenarios.Inconclusive) != exitInconclusive || exitOf(scenarios.No) != exitNotMet {
		t.Error("an outcome has the wrong exit status")
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }
